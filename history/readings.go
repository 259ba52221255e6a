package history

import (
	"context"
	"database/sql"
	"slices"
)

// maxReadings is how many files a merge has open. Each takes some megabytes, and three descriptors.
const maxReadings = 16

// readings are the files that a merge reads, the one that was asked for last first. As long as there
// are few, none of them changes for the merge. Otherwise a run may be further when it is copied than
// it was when the merge began: then it has more cases.
type readings []reading

type reading struct {
	store *Store
	tx    *sql.Tx // nothing is written in it
}

// open returns a history that must exist.
func (r *readings) open(ctx context.Context, name string) (*Store, error) {
	if i := slices.IndexFunc(*r, func(x reading) bool { return x.store.path == name }); i >= 0 {
		x := (*r)[i]
		*r = slices.Insert(slices.Delete(*r, i, i+1), 0, x)
		return x.store.within(x.tx), nil
	}
	for len(*r) >= maxReadings {
		(*r)[len(*r)-1].close()
		*r = (*r)[:len(*r)-1]
	}
	store, err := OpenExisting(ctx, name)
	if err != nil {
		return nil, err
	}
	tx, err := store.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		store.Close()
		return nil, store.failed(err)
	}
	*r = slices.Insert(*r, 0, reading{store, tx})
	return store.within(tx), nil
}

func (x reading) close() {
	x.tx.Rollback()
	x.store.Close()
}

func (r *readings) close() {
	for _, x := range *r {
		x.close()
	}
	*r = nil
}
