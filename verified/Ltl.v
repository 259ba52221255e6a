(* The tableau of docs/proofs.md, and the laws of the operators as least and greatest solutions. *)
From Coq Require Import List Arith Lia Bool Classical ClassicalEpsilon.
Import ListNotations.
Require Import Spec Base Re.

Lemma ltl_eq_dec (f g : ltl) : {f = g} + {f <> g}.
Proof. decide equality; apply Nat.eq_dec || apply re_eq_dec. Defined.

(* ---- the tableau ---- *)

(* What a suffix does on a letter: it is true now (of {r}<>-> b: if b is), or if its next is true in the next state. *)
Record move := { m_now : bool; m_next : option ltl }.

(* The move is the one of docs/proofs.md. Suffixes are {r}<>-> b and !{r}. *)
Definition move_ok (a : letter) (q : ltl) (m : move) : Prop :=
  match q with
  | SuffixAnd r b =>
    (m_now m = true <-> lang r [a]) /\
    match m_next m with
    | None => forall c u, ~ lang r (a :: c :: u)
    | Some g => exists d, g = SuffixAnd d b /\ forall c u, lang d (c :: u) <-> lang r (a :: c :: u)
    end
  | Not (Closure r) =>
    (m_now m = true <-> forall u, ~ lang r (a :: u)) /\
    match m_next m with
    | None => lang r [a] \/ forall u, ~ lang r (a :: u)
    | Some g => ~ lang r [a] /\ exists d, g = Not (Closure d) /\ forall c u, lang d (c :: u) <-> lang r (a :: c :: u)
    end
  | _ => False
  end.

Definition is_suffix (f : ltl) := match f with SuffixAnd _ _ | Not (Closure _) => true | _ => false end.

Fixpoint look (K : list ltl) (d : list bool) (f : ltl) : bool :=
  match K, d with
  | g :: K, b :: d => if ltl_eq_dec g f then b else look K d f
  | _, _ => false
  end.

Lemma look_map K v f : In f K -> look K (map v K) f = v f.
Proof.
  induction K as [| g K IH]; simpl; [tauto |]. destruct (ltl_eq_dec g f); intros [Q | Q]; subst; auto; congruence.
Qed.

Fixpoint marked (i : nat) (bs : list bool) : list nat :=
  match bs with
  | [] => []
  | true :: bs => i :: marked (S i) bs
  | false :: bs => marked (S i) bs
  end.

Fixpoint all_inf (i n : nat) : acc :=
  match n with 0 => ATrue | S n => AAnd (AInf i) (all_inf (S i) n) end.

Definition tstate := (bool + list bool * list bool)%type.

Section Tableau.
  Variables K Mem : list ltl.              (* the kernel and the memory *)
  Variable T : ltl -> tree move.           (* the moves of suffixes *)
  Variable phi : ltl.

  (* Value of a suffix: from the one of b, and the next digits. *)
  Definition sval (nxt : ltl -> bool) (l : letter) (q : ltl) (b : bool) : bool :=
    let m := at_letter (T q) l in m_now m && b || match m_next m with Some g => nxt g | None => false end.

  (* Value of a formula: from the next digits, the memory and the letter. *)
  Fixpoint val (nxt mem : ltl -> bool) (l : letter) (f : ltl) : bool :=
    match f with
    | Tru => true | Fls => false
    | Atom p => l p
    | Not a => negb (val nxt mem l a)
    | And a b => val nxt mem l a && val nxt mem l b
    | Or a b => val nxt mem l a || val nxt mem l b
    | Implies a b => negb (val nxt mem l a) || val nxt mem l b
    | Iff a b => eqb (val nxt mem l a) (val nxt mem l b)
    | Xor a b => xorb (val nxt mem l a) (val nxt mem l b)
    | Next a => nxt a
    | Finally a => val nxt mem l a || nxt f
    | Globally a => val nxt mem l a && nxt f
    | Until a b => val nxt mem l b || val nxt mem l a && nxt f
    | WeakUntil a b => val nxt mem l b || val nxt mem l a && nxt f
    | Release a b => val nxt mem l b && (val nxt mem l a || nxt f)
    | StrongRelease a b => val nxt mem l b && (val nxt mem l a || nxt f)
    | Yesterday _ => mem f
    | WeakYesterday _ => mem f
    | Once a => val nxt mem l a || mem f
    | Historically a => val nxt mem l a && mem f
    | Since a b => val nxt mem l b || val nxt mem l a && mem f
    | Triggered a b => val nxt mem l b && (val nxt mem l a || mem f)
    | Closure r => negb (sval nxt l (Not f) true)
    | SuffixAnd r b => sval nxt l f (val nxt mem l b)
    | SuffixImp r b => negb (sval nxt l (SuffixAnd r (Not b)) (negb (val nxt mem l b)))
    end.

  (* Where an edge has the mark of f, from values v. Others have no mark; here: always. *)
  Definition mark (v : ltl -> bool) (f : ltl) : bool :=
    match f with
    | Finally a => negb (v f) || v a
    | Until a b => negb (v f) || v b
    | StrongRelease a b => negb (v f) || v a && v b
    | Globally a => negb (v a) || v f
    | Release a b => negb (v b) || v f
    | WeakUntil a b => negb (v a || v b) || v f
    | _ => true
    end.

  (* Pending suffixes are those whose digit of the memory is 1. Where none is, there is a mark, and all that are
     true become pending. *)
  Definition suffixes := filter is_suffix Mem.
  Definition none_pending (mem : ltl -> bool) := forallb (fun q => negb (mem q)) suffixes.
  Definition now_of (v : ltl -> bool) (q : ltl) (m : move) :=
    match q with SuffixAnd _ b => m_now m && v b | _ => m_now m end.
  Definition leads (m : move) (f : ltl) :=
    match m_next m with Some g => if ltl_eq_dec g f then true else false | None => false end.
  Definition kept (v mem : ltl -> bool) (l : letter) (f : ltl) :=
    existsb (fun q => (mem q || none_pending mem && v q) &&
                      (let m := at_letter (T q) l in negb (now_of v q m) && leads m f)) suffixes.

  (* The digit of a formula of the memory in the next state. *)
  Definition upd (v mem : ltl -> bool) (l : letter) (f : ltl) : bool :=
    if is_suffix f then kept v mem l f else
    match f with Yesterday a => v a | WeakYesterday a => v a | _ => v f end.
  Definition start_mem (f : ltl) : bool :=
    match f with WeakYesterday _ | Historically _ | Triggered _ _ => true | _ => false end.

  Definition memory (s : tstate) : list bool :=
    match s with inl _ => map start_mem Mem | inr (_, m) => m end.
  Definition digits (s : tstate) : list bool :=
    match s with inl _ => [] | inr (k, _) => k end.
  Definition value (s : tstate) (l : letter) (k : list bool) : ltl -> bool :=
    val (look K k) (look Mem (memory s)) l.

  Definition tedge (s : tstate) (l : letter) (m : list nat) (s' : tstate) : Prop :=
    exists k, let v := value s l k in let mem := look Mem (memory s) in
      s' = inr (k, map (upd v mem l) Mem) /\ length k = length K /\
      m = marked 0 (none_pending mem :: map (mark v) K) /\
      match s with inl b => v phi = b | inr (k0, _) => map v K = k0 end.
  (* A run goes on. *)
  Definition tstep s l m s' := tedge s l m s' /\ exists l2 m2 s2, tedge s' l2 m2 s2.

  Definition tableau (b : bool) : system :=
    {| state := tstate; starts := fun s => s = inl b; step := tstep;
       accepting := all_inf 0 (S (length K)) |}.

  (* The moves are right, and what they lead to is in the kernel and the memory. *)
  Definition has_moves (q : ltl) := forall a, move_ok a q (at_letter (T q) a) /\
    forall g, m_next (at_letter (T q) a) = Some g -> In g K /\ In g Mem.

  (* All that the value of f needs is in the kernel and in the memory. *)
  Fixpoint has (f : ltl) : Prop :=
    match f with
    | Tru | Fls | Atom _ => True
    | Not a => has a
    | And a b | Or a b | Implies a b | Iff a b | Xor a b => has a /\ has b
    | Next a => In a K /\ has a
    | Finally a | Globally a => In f K /\ has a
    | Until a b | Release a b | WeakUntil a b | StrongRelease a b => In f K /\ has a /\ has b
    | Yesterday a | WeakYesterday a | Once a | Historically a => In f Mem /\ has a
    | Since a b | Triggered a b => In f Mem /\ has a /\ has b
    | Closure r => has_moves (Not f)
    | SuffixAnd r b => has_moves f /\ has b
    | SuffixImp r b => has_moves (SuffixAnd r (Not b)) /\ has b
    end.
End Tableau.

(* ---- fixpoints over time ---- *)

Definition until (A B : nat -> Prop) (n : nat) :=
  exists j, n <= j /\ A j /\ forall k, n <= k < j -> B k.
Definition weak (A B : nat -> Prop) (n : nat) :=
  until A B n \/ forall k, n <= k -> B k.

Lemma until_law A B n : until A B n <-> A n \/ (B n /\ until A B (S n)).
Proof.
  split.
  - intros (j & L & HA & HB). destruct (Nat.eq_dec n j) as [-> | N]; [left; auto |].
    right; split; [apply HB; lia |]. exists j; split; [lia |]; split; auto. intros; apply HB; lia.
  - intros [HA | (HB & j & L & HA & HK)].
    + exists n; split; auto; split; auto; intros; lia.
    + exists j; split; [lia |]; split; auto. intros k Lk; destruct (Nat.eq_dec k n) as [-> | N]; auto; apply HK; lia.
Qed.
Lemma weak_law A B n : weak A B n <-> A n \/ (B n /\ weak A B (S n)).
Proof.
  unfold weak; rewrite (until_law A B n); split.
  - intros [[HA | (HB & HU)] | HK]; auto. right; split; auto; right; intros; apply HK; lia.
  - intros [HA | (HB & [HU | HK])]; auto.
    right; intros k Lk; destruct (Nat.eq_dec k n) as [-> | N]; auto; apply HK; lia.
Qed.

(* There is one least solution, and one greatest one. *)
Lemma least_unique (x y a b : nat -> bool) :
  (forall n, x n = a n || b n && x (S n)) -> infinitely_often (fun n => negb (x n) || a n = true) ->
  (forall n, y n = a n || b n && y (S n)) -> infinitely_often (fun n => negb (y n) || a n = true) ->
  forall n, x n = y n.
Proof.
  assert (H : forall x y : nat -> bool, (forall n, x n = a n || b n && x (S n)) ->
    infinitely_often (fun n => negb (x n) || a n = true) -> (forall n, y n = a n || b n && y (S n)) ->
    forall n, x n = true -> y n = true).
  { clear x y; intros x y Lx Fx Ly n Hx; destruct (Fx n) as (m & L & Hm).
    remember (m - n) as d eqn:E; revert n Hx L E; induction d as [| d IH]; intros n Hx L E; rewrite Ly.
    - replace m with n in Hm by lia; rewrite Hx in Hm; simpl in Hm; rewrite Hm; auto.
    - rewrite Lx in Hx; destruct (a n), (b n); simpl in *; auto; apply IH; auto; lia. }
  intros Lx Fx Ly Fy n; apply eq_true_iff_eq; split; eauto.
Qed.
Lemma greatest_unique (x y a b : nat -> bool) :
  (forall n, x n = a n || b n && x (S n)) -> infinitely_often (fun n => negb (a n || b n) || x n = true) ->
  (forall n, y n = a n || b n && y (S n)) -> infinitely_often (fun n => negb (a n || b n) || y n = true) ->
  forall n, x n = y n.
Proof.
  intros Lx Fx Ly Fy n; rewrite <- (negb_involutive (x n)), <- (negb_involutive (y n)); f_equal; revert n.
  apply (least_unique _ _ (fun n => negb (a n || b n)) (fun n => negb (a n))); intros n.
  1: rewrite Lx. 3: rewrite Ly. 1,3: destruct (a n), (b n); auto.
  1: destruct (Fx n) as (m & L & H). 2: destruct (Fy n) as (m & L & H).
  1,2: exists m; split; auto; rewrite negb_involutive, orb_comm; auto.
Qed.
Lemma until_fair A B : infinitely_often (fun n => ~ until A B n \/ A n).
Proof. intros n; destruct (classic (until A B n)) as [(j & L & HA & _) | N]; eauto. Qed.
Lemma weak_fair A B : infinitely_often (fun n => ~ (A n \/ B n) \/ weak A B n).
Proof.
  intros n; destruct (classic (exists k, n <= k /\ ~ (A k \/ B k))) as [(k & L & N) | N].
  - exists k; auto.
  - exists n; split; auto; right; apply NNPP; intros NW. assert (HN : forall k, n <= k -> ~ weak A B k /\ B k).
    { intros k Lk; replace k with (n + (k - n)) by lia; generalize (k - n) as d. induction d as [| d (IH1 & IH2)].
      - rewrite Nat.add_0_r. rewrite weak_law in NW. split; [rewrite weak_law; auto |].
        apply NNPP; intros NB; apply N; exists n; split; auto; tauto.
      - rewrite Nat.add_succ_r. rewrite weak_law in IH1. assert (H0 : ~ weak A B (S (n + d))) by tauto. split; auto.
        apply NNPP; intros NB; apply N; exists (S (n + d)); split; [lia |]. rewrite weak_law in H0. tauto. }
    apply NW; right; intros; apply HN; auto.
Qed.
Lemma release_weak (A B : nat -> Prop) n :
  (forall j, n <= j -> B j \/ exists k, n <= k < j /\ A k) <-> weak (fun i => A i /\ B i) B n.
Proof.
  split.
  - intros HR; apply NNPP; intros N. assert (HN : forall d, ~ weak (fun i => A i /\ B i) B (n + d) /\
                           forall k, n <= k < n + d -> ~ A k).
    { induction d as [| d (IH1 & IH2)].
      - rewrite Nat.add_0_r; split; auto; intros; lia.
      - assert (HB : B (n + d)).
        { destruct (HR (n + d)) as [HB | (k & Lk & HA)]; [lia | auto |]. exfalso; eapply IH2; eauto. }
        rewrite weak_law in IH1. rewrite Nat.add_succ_r. split; [tauto |].
        intros k Lk; destruct (Nat.eq_dec k (n + d)) as [-> | Nk]; [tauto |]. apply IH2; lia. }
    apply N; right; intros k Lk; destruct (HR k Lk) as [HB | (i & Li & HA)]; auto.
    exfalso; apply (proj2 (HN (k - n)) i); auto; lia.
  - intros [(j & Lj & (HA & HB) & HK) | HK] i Li; auto. destruct (le_lt_dec i j) as [C | C].
    + left; destruct (Nat.eq_dec i j) as [-> | Ne]; auto; apply HK; lia.
    + right; exists j; split; auto; lia.
Qed.

Lemma strong_until (A B : nat -> Prop) n :
  (exists j, n <= j /\ A j /\ forall k, n <= k <= j -> B k) <-> until (fun i => A i /\ B i) B n.
Proof.
  split.
  - intros (j & L & HA & HB); exists j; split; auto; split; [split; auto; apply HB; lia |]. intros; apply HB; lia.
  - intros (j & L & (HA & HB) & HK); exists j; split; auto; split; auto.
    intros k Lk; destruct (Nat.eq_dec k j) as [-> | Ne]; auto; apply HK; lia.
Qed.

Lemma F_until (A : nat -> Prop) n :
  (exists j, n <= j /\ A j) <-> until A (fun _ => True) n.
Proof. split; intros (j & L & HA); exists j; tauto. Qed.

Lemma G_weak (A : nat -> Prop) n :
  (forall j, n <= j -> A j) <-> weak (fun _ => False) A n.
Proof. split; [right; auto |]. intros [(j & _ & [] & _) | HA]; auto. Qed.

(* ---- past ---- *)

Lemma since_law (A B : nat -> Prop) n :
  (exists j, j <= n /\ B j /\ forall k, j < k <= n -> A k) <->
  B n \/ A n /\ match n with 0 => False | S m => exists j, j <= m /\ B j /\ forall k, j < k <= m -> A k end.
Proof.
  split.
  - intros (j & L & HB & HA). destruct (Nat.eq_dec j n) as [-> | N]; auto.
    right; split; [apply HA; lia |]. destruct n as [| m]; [lia |].
    exists j; split; [lia |]; split; auto; intros; apply HA; lia.
  - intros [HB | (HA & HS)].
    + exists n; split; auto; split; auto; intros; lia.
    + destruct n as [| m]; [tauto |]. destruct HS as (j & L & HB & HK).
      exists j; split; [lia |]; split; auto. intros k Lk.
      destruct (Nat.eq_dec k (S m)) as [-> | N]; auto; apply HK; lia.
Qed.

Lemma trigger_law (A B : nat -> Prop) n :
  (forall j, j <= n -> B j \/ exists k, j < k <= n /\ A k) <->
  B n /\ (A n \/ match n with 0 => True | S m => forall j, j <= m -> B j \/ exists k, j < k <= m /\ A k end).
Proof.
  split.
  - intros HT; split.
    + destruct (HT n) as [HB | (k & L & _)]; auto; lia.
    + destruct (classic (A n)) as [HA | HA]; auto; right. destruct n as [| m]; auto; intros j L.
      destruct (HT j) as [HB | (k & Lk & Hk)]; auto.
      right; exists k; split; auto. destruct (Nat.eq_dec k (S m)) as [-> | N]; [tauto | lia].
  - intros (HB & HS) j L. destruct (Nat.eq_dec j n) as [-> | N]; auto.
    destruct HS as [HA | HS]; [right; exists n; split; auto; lia |]. destruct n as [| m]; [lia |].
    destruct (HS j) as [Hj | (k & Lk & Hk)]; [lia | auto |]. right; exists k; split; auto; lia.
Qed.

Lemma O_law (A : nat -> Prop) n :
  (exists j, j <= n /\ A j) <-> A n \/ match n with 0 => False | S m => exists j, j <= m /\ A j end.
Proof.
  split.
  - intros (j & L & HA). destruct (Nat.eq_dec j n) as [-> | N]; auto.
    destruct n as [| m]; [lia |]. right; exists j; split; auto; lia.
  - intros [HA | HS]; [exists n; auto |]. destruct n as [| m]; [tauto |]. destruct HS as (j & L & HA); exists j; auto.
Qed.

Lemma H_law (A : nat -> Prop) n :
  (forall j, j <= n -> A j) <-> A n /\ match n with 0 => True | S m => forall j, j <= m -> A j end.
Proof.
  split.
  - intros HA; split; auto. destruct n; auto.
  - intros (HA & HS) j L. destruct (Nat.eq_dec j n) as [-> | N]; auto. destruct n as [| m]; [lia |]. apply HS; lia.
Qed.
