package bench

import "context"

// SmallConditions is the part of Product for conditions, with automata of so many states.
func SmallConditions(ctx context.Context, o ProductOptions, states int, emit func(ProductRow) error) error {
	return o.measure(ctx, o.conditions(states, states), emit)
}
