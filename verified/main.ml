(* vcheck: reads proofs of docs/proofs.md, computes hints, and asks the checker of Checker.v.
   A theorem speaks of the formula and the automaton that were read. So what was read is printed,
   and must be the file, byte by byte: trust the printers (print_...) and the end of read_proof, not the parsers.
   Nothing has to be believed about the hints. *)
open Checker

exception Wrong of string * string     (* what was expected, what was found *)
exception Unread of string
let wrong expected found = raise (Wrong (expected, found))

let rec pos n = if n = 1 then XH else if n land 1 = 1 then XI (pos (n / 2)) else XO (pos (n / 2))
let rec int = function XH -> 1 | XI p -> 2 * int p + 1 | XO p -> 2 * int p

(* ---- A line of text, and a place in it ---- *)

type text = { s : string; mutable at : int }
let rest t = String.sub t.s t.at (String.length t.s - t.at)
let sees t p =
  let n = String.length p in
  String.length t.s - t.at >= n && String.sub t.s t.at n = p
let eat t p = sees t p && (t.at <- t.at + String.length p; true)
let need t p = if not (eat t p) then wrong (Printf.sprintf "%S" p) (rest t)
let finish t x = if t.at < String.length t.s then wrong "the end of the line" (rest t) else x

let is_digit c = c >= '0' && c <= '9'
let is_word c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit c || c = '_' || c = '.'
let span t accepted =
  let n = String.length t.s in
  let rec go i = if i < n && accepted t.s.[i] then go (i + 1) else i in
  String.sub t.s t.at (go t.at - t.at)
let number t =
  let d = span t is_digit in
  if d = "" || String.length d > 9 then wrong "a number" (rest t);
  t.at <- t.at + String.length d; int_of_string d

let quoted t =
  need t "\"";
  let b = Buffer.create 16 in
  let rec go () =
    if t.at >= String.length t.s then wrong "a closing quote" t.s;
    let c = t.s.[t.at] in
    t.at <- t.at + 1;
    if c = '\\' && t.at < String.length t.s then (Buffer.add_char b t.s.[t.at]; t.at <- t.at + 1; go ())
    else if c <> '"' then (Buffer.add_char b c; go ()) in
  go (); Buffer.contents b
let print_quoted name =
  let b = Buffer.create 16 in
  String.iter (fun c -> if c = '"' || c = '\\' then Buffer.add_char b '\\'; Buffer.add_char b c) name;
  "\"" ^ Buffer.contents b ^ "\""

(* ---- Formulas ---- *)

let unary = ["!", (fun a -> Not a); "X", (fun a -> Next a); "F", (fun a -> Finally a);
  "G", (fun a -> Globally a); "Y", (fun a -> Yesterday a); "Z", (fun a -> WeakYesterday a);
  "O", (fun a -> Once a); "H", (fun a -> Historically a)]
let binary = ["&", (fun a b -> And (a, b)); "|", (fun a b -> Or (a, b));
  "->", (fun a b -> Implies (a, b)); "<->", (fun a b -> Iff (a, b)); "xor", (fun a b -> Xor (a, b));
  "U", (fun a b -> Until (a, b)); "R", (fun a b -> Release (a, b)); "W", (fun a b -> WeakUntil (a, b));
  "M", (fun a b -> StrongRelease (a, b)); "S", (fun a b -> Since (a, b)); "T", (fun a b -> Triggered (a, b))]

(* A word that begins with F, G or X is that operator and its operand, unless a digit follows. *)
let is_prefix w = String.contains "FGX" w.[0] && (String.length w = 1 || not (is_digit w.[1]))
let is_plain name =
  name <> "" && List.for_all is_word (List.of_seq (String.to_seq name)) && not (is_digit name.[0]) &&
  not (is_prefix name) && not (List.mem name ["U"; "R"; "V"; "W"; "M"; "Y"; "Z"; "O"; "H"; "S"; "T"; "xor"; "first_match"]) &&
  not (List.mem (String.lowercase_ascii name) ["true"; "false"])
let print_name name = if is_plain name then name else print_quoted name

(* A letter of an expression is a Boolean formula. *)
let rec letter_of = function
  | Tru -> BTrue | Fls -> BFalse | Atom p -> BAtom p | Not a -> BNot (letter_of a)
  | And (a, b) -> BAnd (letter_of a, letter_of b) | Or (a, b) -> BOr (letter_of a, letter_of b)
  | Implies (a, b) -> BImplies (letter_of a, letter_of b) | Iff (a, b) -> BIff (letter_of a, letter_of b)
  | Xor (a, b) -> BXor (letter_of a, letter_of b)
  | _ -> wrong "a Boolean formula" "another one"
let rec formula_of = function
  | BTrue -> Tru | BFalse -> Fls | BAtom p -> Atom p | BNot a -> Not (formula_of a)
  | BAnd (a, b) -> And (formula_of a, formula_of b) | BOr (a, b) -> Or (formula_of a, formula_of b)
  | BImplies (a, b) -> Implies (formula_of a, formula_of b) | BIff (a, b) -> Iff (formula_of a, formula_of b)
  | BXor (a, b) -> Xor (formula_of a, formula_of b)

(* b[->i..j] and b[=i..j] are short for these. Bounds are (i, Some (j-i)), or (i, None) for i.. *)
let waiting e = Star (Let (BNot e), 0, None)
let reached e (i, k) =
  let once = Cat (waiting e, Let e) in if (i, k) = (1, Some 0) then once else Star (once, i, k)
let counted e bounds = Cat (reached e bounds, waiting e)

let bounds t =
  let i = number t in
  if not (eat t "..") then (i, Some 0)
  else if sees t "]" then (i, None)
  else (let j = number t in if j < i then wrong "ascending bounds" t.s; (i, Some (j - i)))

(* A formula with names, so that these can be sorted before they become numbers. *)
let rec formula prop t =
  let w = span t is_word in
  let o = if sees t "!" then "!" else if w <> "" && is_prefix w then String.sub w 0 1 else w in
  match List.assoc_opt o unary with
  | Some make -> need t o; ignore (eat t " "); make (operand prop t)
  | None ->
    let a = operand prop t in
    if not (eat t " ") then a else begin
      let o = span t (fun c -> c <> ' ') in
      match List.assoc_opt o binary with
      | Some make -> need t o; need t " "; let b = operand prop t in make a b
      | None -> wrong "an operator" (rest t)
    end
and operand prop t =
  if eat t "(" then (let f = formula prop t in need t ")"; f)
  else if eat t "{" then begin
    let r = sere prop t in
    need t "}";
    let conjunction r = SuffixAnd (r, operand prop t) and implication r = SuffixImp (r, operand prop t) in
    if eat t "!" then SuffixAnd (r, Tru)
    else if eat t "<>-> " then conjunction r
    else if eat t "[]-> " then implication r
    else if eat t "<>=> " then conjunction (Cat (r, Let BTrue))
    else if eat t "[]=> " then implication (Cat (r, Let BTrue))
    else Closure r
  end
  else if sees t "\"" then (let name = quoted t in Atom (prop name))
  else match span t is_word with
    | "" -> wrong "an operand" (rest t)
    | "0" -> need t "0"; Fls
    | "1" -> need t "1"; Tru
    | name -> need t name; Atom (prop name)

(* Operands with an operator are in braces, so that there is one operator at a time. Of two letters, it makes a letter. *)
and sere prop t =
  let a = repeated prop t in
  let letters make = let b = repeated prop t in match a, b with
    | Let a, Let b -> Let (make a b) | _ -> wrong "an operator of expressions" t.s in
  let either make letter = let b = repeated prop t in match a, b with Let a, Let b -> Let (letter a b) | _ -> make b in
  if eat t ";" then (let b = repeated prop t in Cat (a, b))
  else if eat t ":" then (let b = repeated prop t in Fuse (a, b))
  else if eat t " | " then either (fun b -> Alt (a, b)) (fun a b -> BOr (a, b))
  else if eat t " && " then either (fun b -> Inter (a, b)) (fun a b -> BAnd (a, b))
  else if eat t " & " then either (fun b -> Both (a, b)) (fun a b -> BAnd (a, b))
  else if eat t " -> " then letters (fun a b -> BImplies (a, b))
  else if eat t " <-> " then letters (fun a b -> BIff (a, b))
  else if eat t " xor " then letters (fun a b -> BXor (a, b))
  else a
and repeated prop t =
  let rec again r =
    let loop make = let i, k = if sees t "]" then (0, None) else bounds t in need t "]"; again (make i k) in
    let letter = function Let e -> e | _ -> wrong "a Boolean formula" t.s in
    if eat t "[*" then loop (fun i k -> Star (r, i, k))
    else if eat t "[+]" then again (Star (r, 1, None))
    else if eat t "[:*" then loop (fun i k -> FuseStar (r, i, k))
    else if eat t "[:+]" then again (FuseStar (r, 1, None))
    else if eat t "[->]" then again (reached (letter r) (1, Some 0))
    else if eat t "[->" then loop (fun i k -> reached (letter r) (i, k))
    else if eat t "[=" then loop (fun i k -> counted (letter r) (i, k))
    else r in
  if eat t "[*0]" then again Eps
  else if sees t "[" then again (Let BTrue)
  else if eat t "{" then (let r = sere prop t in need t "}"; again r)
  else if eat t "first_match(" then (let r = sere prop t in need t ")"; again (First r))
  else if eat t "!" then (let a = operand prop t in again (Let (BNot (letter_of a))))
  else (let a = operand prop t in again (Let (letter_of a)))

let print_formula name f =
  let rec whole f = match f with
    | Closure r -> "{" ^ sere r ^ "}"
    | SuffixAnd (r, Tru) -> "{" ^ sere r ^ "}!"
    | SuffixAnd (r, b) -> arrow "<>" r b
    | SuffixImp (r, b) -> arrow "[]" r b
    | Tru -> "1" | Fls -> "0" | Atom p -> print_name (name p)
    | Not a -> "!" ^ around a
    | Next a -> prefix "X" a | Finally a -> prefix "F" a | Globally a -> prefix "G" a
    | Yesterday a -> prefix "Y" a | WeakYesterday a -> prefix "Z" a
    | Once a -> prefix "O" a | Historically a -> prefix "H" a
    | And (a, b) -> infix "&" a b | Or (a, b) -> infix "|" a b
    | Implies (a, b) -> infix "->" a b | Iff (a, b) -> infix "<->" a b | Xor (a, b) -> infix "xor" a b
    | Until (a, b) -> infix "U" a b | Release (a, b) -> infix "R" a b
    | WeakUntil (a, b) -> infix "W" a b | StrongRelease (a, b) -> infix "M" a b
    | Since (a, b) -> infix "S" a b | Triggered (a, b) -> infix "T" a b
  and around f = match f with
    | Tru | Fls | Atom _ | Closure _ | SuffixAnd (_, Tru) -> whole f | _ -> "(" ^ whole f ^ ")"
  and arrow o r b =
    let b = match b with SuffixAnd _ | SuffixImp _ -> whole b | _ -> around b in
    match r with
    | Cat (r, Let BTrue) -> "{" ^ sere r ^ "}" ^ o ^ "=> " ^ b
    | _ -> "{" ^ sere r ^ "}" ^ o ^ "-> " ^ b
  and sere r = match short r with
    | Some s -> s
    | None -> match r with
      | Let e -> whole (formula_of e)
      | Eps -> "[*0]"
      | Alt (r, s) -> inner r ^ " | " ^ inner s | Inter (r, s) -> inner r ^ " && " ^ inner s
      | Both (r, s) -> inner r ^ " & " ^ inner s
      | Cat (r, s) -> inner r ^ ";" ^ inner s | Fuse (r, s) -> inner r ^ ":" ^ inner s
      | Star (Let BTrue, i, k) when (i, k) <> (0, Some 0) -> times "*" i k
      | Star (r, i, k) -> inner r ^ times "*" i k
      | FuseStar (r, i, k) -> inner r ^ times ":*" i k
      | First r -> "first_match(" ^ sere r ^ ")"
  and inner r = match r with
    | Let (BTrue | BFalse | BAtom _) | Eps | Star _ | FuseStar _ | First _ -> sere r
    | _ -> if short r = None then "{" ^ sere r ^ "}" else sere r
  and range i k = match k with
    | Some 0 -> string_of_int i | Some k -> Printf.sprintf "%d..%d" i (i + k) | None -> Printf.sprintf "%d.." i
  and times star i k = match i, k with
    | 0, None -> "[" ^ star ^ "]"
    | 1, None -> if star = "*" then "[+]" else "[:+]"
    | _ -> "[" ^ star ^ range i k ^ "]"
  (* b[->i..j] or b[=i..j], if that is what r is. *)
  and short r =
    let reaches r = match r with
      | Cat (_, Let e) when r = reached e (1, Some 0) -> Some (e, 1, Some 0)
      | Star (Cat (_, Let e), i, k) when (i, k) <> (0, Some 0) && (i, k) <> (1, Some 0) && r = reached e (i, k) -> Some (e, i, k)
      | _ -> None in
    match reaches r, r with
    | Some (e, 1, Some 0), _ -> Some (inner (Let e) ^ "[->]")
    | Some (e, i, k), _ -> Some (inner (Let e) ^ "[->" ^ range i k ^ "]")
    | None, Cat (r, s) -> (match reaches r with
        | Some (e, i, k) when s = waiting e && (i, k) <> (0, None) -> Some (inner (Let e) ^ "[=" ^ range i k ^ "]")
        | _ -> None)
    | None, _ -> None
  and infix o a b = around a ^ " " ^ o ^ " " ^ around b
  and prefix o a =
    let alse = match a with
      | Atom p -> o = "F" && let n = name p in
        String.length n >= 4 && String.lowercase_ascii (String.sub n 0 4) = "alse"
      | _ -> false in
    let letter = match a with
      | Atom p -> is_plain (name p)
      | Next _ | Finally _ | Globally _ | Yesterday _ | WeakYesterday _ | Once _ | Historically _ -> true
      | _ -> false in
    let blank = if alse || letter && not (is_prefix o) then " " else "" in
    o ^ blank ^ (match a with Tru | Fls -> "(" ^ whole a ^ ")" | _ -> around a) in
  whole f

(* ---- Automata ---- *)

(* Mark i of "Inf(!i)" is mark count+i: it is on the edges without mark i. *)
type automaton = { hoa : hoa; count : int; size : int; aps : int array }

(* A label or condition: a literal, or operands in parentheses. A list a, b, c becomes a & (b & (c & true)):
   the text has no constants in lists, so that other lists become something else. *)
let rec expression literal join tru fls et ou t =
  if eat t "t" then tru else if eat t "f" then fls
  else if not (eat t "(") then literal (expression literal join tru fls et ou) t
  else begin
    let item () = expression literal join tru fls et ou t in
    let a = item () in
    let by, make, unit = if sees t join then join, et, tru else " | ", ou, fls in
    let rec more () = if eat t ")" then unit else begin
        need t by; let b = item () in make b (more ()) end in
    make a (more ())
  end

let label aps = expression (fun inner t ->
    if eat t "!" then BNot (inner t) else begin
      let i = number t in
      if i >= Array.length aps then wrong "a number of a proposition" t.s;
      BAtom aps.(i) end)
    "&" BTrue BFalse (fun a b -> BAnd (a, b)) (fun a b -> BOr (a, b))
let rec print_label aps e =
  let rec et = function BTrue -> [] | BAnd (a, b) -> print_label aps a :: et b | e -> [print_label aps e] in
  let rec ou = function BFalse -> [] | BOr (a, b) -> print_label aps a :: ou b | e -> [print_label aps e] in
  match e with
  | BTrue -> "t" | BFalse -> "f"
  | BAtom p -> string_of_int (List.assoc p aps)
  | BNot a -> let s = print_label aps a in
    if s.[0] = '!' then String.sub s 1 (String.length s - 1) else "!" ^ s
  | BAnd _ -> "(" ^ String.concat "&" (et e) ^ ")"
  | BOr _ -> "(" ^ String.concat " | " (ou e) ^ ")"
  | BImplies _ | BIff _ | BXor _ -> wrong "a label" "an operator that labels lack"

let condition count = expression (fun _ t ->
    let inf = eat t "Inf(" in
    if not inf then need t "Fin(";
    let complement = eat t "!" in
    let m = number t in
    if m >= count then wrong "a mark below the number of marks" t.s;
    let m = if complement then m + count else m in
    need t ")";
    if inf then AInf m else AFin m)
    " & " ATrue AFalse (fun a b -> AAnd (a, b)) (fun a b -> AOr (a, b))
let rec print_condition count e =
  let mark m = if m < count then string_of_int m else "!" ^ string_of_int (m - count) in
  let rec et = function ATrue -> [] | AAnd (a, b) -> print_condition count a :: et b | e -> [print_condition count e] in
  let rec ou = function AFalse -> [] | AOr (a, b) -> print_condition count a :: ou b | e -> [print_condition count e] in
  match e with
  | ATrue -> "t" | AFalse -> "f"
  | AInf m -> "Inf(" ^ mark m ^ ")" | AFin m -> "Fin(" ^ mark m ^ ")"
  | AAnd _ -> "(" ^ String.concat " & " (et e) ^ ")"
  | AOr _ -> "(" ^ String.concat " | " (ou e) ^ ")"
let rec condition_marks = function
  | ATrue | AFalse -> [] | AInf m | AFin m -> [m]
  | AAnd (a, b) | AOr (a, b) -> condition_marks a @ condition_marks b
let complements count c = List.sort_uniq compare (List.filter (fun m -> m >= count) (condition_marks c))

let read_automaton line prop =
  let headed name read =
    let t = { s = line (); at = 0 } in need t name; let x = read t in finish t x in
  headed "HOA: v1" ignore;
  let size = headed "States: " number in
  let rec starts t = if eat t "Start: " then begin
      let q = number t in
      if q >= size then wrong "a state" t.s;
      finish t (); let l, t = starts { s = line (); at = 0 } in pos (q + 1) :: l, t end
    else [], t in
  let initial, t = starts { s = line (); at = 0 } in
  need t "AP: ";
  let aps = Array.init (number t) (fun _ -> need t " "; prop (quoted t)) in
  finish t ();
  if List.length (List.sort_uniq compare (Array.to_list aps)) < Array.length aps then wrong "each proposition once" t.s;
  let count, acceptance = headed "Acceptance: " (fun t -> let n = number t in need t " "; n, condition n t) in
  let complements = complements count acceptance in
  headed "--BODY--" ignore;
  let edges = ref [] and state = ref (-1) in
  let rec body t =
    if not (eat t "--END--") then begin
      if eat t "State: " then begin
          incr state;
          if number t <> !state || !state >= size then wrong "states in order" t.s end
      else begin
        if !state < 0 then wrong "a state" t.s;
        need t "[";
        let elabel = label aps t in
        need t "] ";
        let q = number t in
        if q >= size then wrong "a state" t.s;
        let marks = if not (eat t " {") then [] else begin
            let rec more () = if eat t "}" then [] else (need t " "; let m = number t in m :: more ()) in
            let m = number t in m :: more () end in
        if List.exists (fun m -> m >= count) marks then wrong "marks below the number of marks" t.s;
        let lacks = List.filter (fun m -> not (List.mem (m - count) marks)) complements in
        edges := { esrc = pos (!state + 1); elabel; edst = pos (q + 1); emarks = marks @ lacks } :: !edges
      end;
      finish t (); body { s = line (); at = 0 }
    end else finish t () in
  body { s = line (); at = 0 };
  { hoa = { initial; edges = List.rev !edges; acceptance }; count; size; aps }

let print_automaton out name a =
  let printf fmt = Printf.bprintf out fmt in
  let number = Array.to_list (Array.mapi (fun i p -> (p, i)) a.aps) in
  printf "HOA: v1\nStates: %d\n" a.size;
  List.iter (fun q -> printf "Start: %d\n" (int q - 1)) a.hoa.initial;
  printf "AP: %d" (Array.length a.aps);
  Array.iter (fun p -> printf " %s" (print_quoted (name p))) a.aps;
  (* The number of marks is one more than the greatest. *)
  let most = List.fold_left (fun n e -> List.fold_left (fun n m -> if m < a.count then max n (m + 1) else n) n e.emarks)
      (List.fold_left (fun n m -> max n ((if m < a.count then m else m - a.count) + 1)) 0 (condition_marks a.hoa.acceptance))
      a.hoa.edges in
  let complements = complements a.count a.hoa.acceptance in
  printf "\nAcceptance: %d %s\n--BODY--\n" most (print_condition a.count a.hoa.acceptance);
  let rec edges q l = match l with
    | e :: l when int e.esrc = q + 1 ->
      let marks, lacks = List.partition (fun m -> m < a.count) e.emarks in
      if lacks <> List.filter (fun m -> not (List.mem (m - a.count) marks)) complements then wrong "marks" "others";
      printf "[%s] %d%s\n" (print_label number e.elabel) (int e.edst - 1)
        (if marks = [] then "" else " {" ^ String.concat " " (List.map string_of_int marks) ^ "}");
      edges q l
    | _ when q + 1 < a.size -> printf "State: %d\n" (q + 1); edges (q + 1) l
    | l -> if l <> [] then wrong "edges in order" "others" in
  edges (-1) a.hoa.edges;
  printf "--END--\n"

(* ---- Proofs ---- *)

let bits s = List.map (fun c -> c = '1') (List.of_seq (String.to_seq s))
let print_bits l = String.concat "" (List.map (fun b -> if b then "1" else "0") l)
let tstate t =
  let d () = let s = span t (fun c -> c = '0' || c = '1') in need t s; bits s in
  let k = d () in
  Inr (k, if eat t "/" then d () else [])
let print_tstate = function
  | Inl b -> string_of_bool b
  | Inr (k, m) -> print_bits k ^ (if m = [] then "" else "/" ^ print_bits m)
let state t = pos (number t + 1)
let print_state q = string_of_int (int q - 1)

let letters prop t =
  if eat t "1" then [] else begin
    let literal () =
      let truth = not (eat t "!") in
      truth, prop (if sees t "\"" then quoted t else (let w = span t is_word in need t w; w)) in
    let rec more () = if eat t "&" then (let x = literal () in x :: more ()) else [] in
    let x = literal () in x :: more () end
(* In the order of the propositions. *)
let print_letters name order l =
  let literals = List.filter_map (fun p -> match List.filter (fun (_, q) -> q = p) l with
      | [(truth, _)] -> Some ((if truth then "" else "!") ^ print_name (name p))
      | _ -> None) order in
  if literals = [] then "1" else String.concat "&" literals

let values m = List.map snd (List.sort compare (List.map (fun (k, x) -> int k, x) (PositiveMap.elements m)))

let read_strategy line again prop left start starts =
  need (line ()) "node 0: start";
  let nodes = ref PositiveMap.empty and n = ref 0 in
  let rec node lefts ats answers =
    let t = line () in
    if sees t "  to " then begin
      need t "  to ";
      let a_to = left t in
      need t ": edge "; let a_edge = state t in
      need t ", node "; let a_node = state t in
      need t ", on "; let a_on = letters prop t in
      (* An answer to node 0 could be sound between automata, but no state has the name "start". *)
      finish t (if a_node = XH then wrong "a node with a state" t.s);
      node lefts ats ({ a_to; a_edge; a_node; a_on } :: answers)
    end else begin
      incr n;
      nodes := PositiveMap.add (pos !n) { n_left = lefts; n_at = ats; n_answers = List.rev answers } !nodes;
      if sees t "node 0" || sees t "end" then again ()
      else begin
        need t (Printf.sprintf "node %d: " !n);
        let q = left t in
        need t ", state ";
        let r = state t in
        finish t (node [q] [r] [])
      end
    end in
  node start starts []; !nodes

let print_strategy out print_left name order nodes =
  List.iteri (fun i v ->
      if i = 0 then Buffer.add_string out "node 0: start\n"
      else Printf.bprintf out "node %d: %s, state %s\n" i (print_left (List.hd v.n_left)) (print_state (List.hd v.n_at));
      List.iter (fun a -> Printf.bprintf out "  to %s: edge %s, node %s, on %s\n" (print_left a.a_to)
                    (print_state a.a_edge) (print_state a.a_node) (print_letters name order a.a_on)) v.n_answers)
    (values nodes)

type any = One of proof | Two of proof2
type read = { any : any; what : string; sizes : int * int } (* of the automata of Two *)

let past f = match f with
  | Yesterday _ | WeakYesterday _ | Once _ | Historically _ | Since _ | Triggered _ -> true | _ -> false
let rec parts f = f :: (match f with
    | Tru | Fls | Atom _ | Closure _ -> []
    | SuffixAnd (_, a) | SuffixImp (_, a) -> parts a
    | Not a | Next a | Finally a | Globally a | Yesterday a | WeakYesterday a | Once a | Historically a -> parts a
    | And (a, b) | Or (a, b) | Implies (a, b) | Iff (a, b) | Xor (a, b) | Until (a, b) | Release (a, b)
    | WeakUntil (a, b) | StrongRelease (a, b) | Since (a, b) | Triggered (a, b) -> parts a @ parts b)

let expression_of = function SuffixAnd (r, _) | Not (Closure r) -> Some r | _ -> None
(* Steps for comparing expressions. *)
let fuel = 1000
let effort = 20 * fuel

(* The number of the line that was read last, for messages. *)
let number_of_line = ref 0

let read_proof whole =
  let lines = Array.of_list (String.split_on_char '\n' whole) in
  number_of_line := 0;
  let line () =
    if !number_of_line >= Array.length lines - 1 then wrong "one more line" "the end";
    incr number_of_line; lines.(!number_of_line - 1) in
  let peek p = sees { s = lines.(min !number_of_line (Array.length lines - 1)); at = 0 } p in
  let text () = { s = line (); at = 0 } in
  let again () = decr number_of_line in
  let headed p read = let t = text () in need t p; let x = read t in finish t x in
  headed "xcheck-proof: 1" ignore;
  let names = ref [||] in
  let prop name = match List.find_opt (fun i -> !names.(i) = name) (List.init (Array.length !names) Fun.id) with
    | Some i -> i
    | None -> names := Array.append !names [| name |]; Array.length !names - 1 in
  let known name = let n = Array.length !names in let i = prop name in
    if i = n then wrong "propositions of the formula or the automata" name; i in
  let name p = !names.(p) in
  let out = Buffer.create (String.length whole) in
  Buffer.add_string out "xcheck-proof: 1\n";
  let result =
    if peek "HOA:" then begin
      let a = read_automaton line prop in
      let order12 = List.init (Array.length !names) Fun.id in
      let b = read_automaton line prop in
      let all = List.init (Array.length !names) Fun.id in
      let rest l = l @ List.filter (fun p -> not (List.mem p l)) all in
      let order12 = rest order12 and order21 = rest (Array.to_list b.aps) in
      let nodes12 = read_strategy text again known state a.hoa.initial b.hoa.initial in
      let nodes21 = read_strategy text again known state b.hoa.initial a.hoa.initial in
      print_automaton out name a; print_automaton out name b;
      print_strategy out print_state name order12 nodes12;
      print_strategy out print_state name order21 nodes21;
      { any = Two { aut1 = a.hoa; aut2 = b.hoa; props2 = Array.length !names; nodes12; nodes21 };
        what = "the automata accept the same words"; sizes = a.size, b.size }
    end else begin
      let start = !number_of_line in
      let formulas prop =
        number_of_line := start;
        let phi = headed "formula: " (formula prop) in
        let truth = match line () with
          | "truth: true" -> true | "truth: false" -> false | s -> wrong "\"truth: true\" or \"truth: false\"" s in
        let rec all p = if peek p then (let f = headed p (formula prop) in f :: all p) else [] in
        let kernel = all "kernel: " in
        phi, truth, kernel, all "memory: " in
      ignore (formulas prop);
      Array.sort compare !names;
      let phi, truth, kernel, memory = formulas prop in
      let twice l = List.length (List.sort_uniq compare l) < List.length l in
      let pasts = List.sort_uniq compare (List.filter past (List.concat_map parts (phi :: kernel))) in
      (* Of suffixes with the same words, the first one is in the memory. *)
      let suffixes = List.fold_left (fun l q ->
          let known g = match alike q g, expression_of q with Some r, Some s -> same (Array.length !names) effort s r | _ -> false in
          if List.exists known l then l else q :: l) [] (List.concat_map keys (phi :: kernel)) in
      if twice kernel || twice memory || List.sort compare (suffixes @ pasts) <> List.sort compare memory then
        wrong "the formulas of the kernel, and then of the memory, each once" "others";
      let a = read_automaton line prop in
      let nodes = read_strategy text again known tstate [Inl truth] a.hoa.initial in
      let print = print_formula name in
      Printf.bprintf out "formula: %s\ntruth: %b\n" (print phi) truth;
      List.iter (fun f -> Printf.bprintf out "kernel: %s\n" (print f)) kernel;
      List.iter (fun f -> Printf.bprintf out "memory: %s\n" (print f)) memory;
      print_automaton out name a;
      print_strategy out print_tstate name (List.init (Array.length !names) Fun.id) nodes;
      { any = One { formula = phi; truth_is = truth; kernel; memories = memory; aut = a.hoa;
                    props = Array.length !names; nodes };
        what = (if truth then print phi else "!(" ^ print phi ^ ")"); sizes = a.size, 0 }
    end in
  headed "end" ignore;
  Buffer.add_string out "end\n";
  if List.length (List.sort_uniq compare (Array.to_list !names)) < Array.length !names then wrong "a number for each name" "two";
  if Buffer.contents out <> whole then begin
    let printed = Array.of_list (String.split_on_char '\n' (Buffer.contents out)) in
    let i = ref 0 in
    while !i < Array.length printed && !i < Array.length lines && printed.(!i) = lines.(!i) do incr i done;
    number_of_line := !i + 1;
    wrong (if !i < Array.length printed then Printf.sprintf "%S" printed.(!i) else "the end")
      (if !i < Array.length lines then lines.(!i) else "the end")
  end;
  result

(* ---- Hints ---- *)

(* Components, numbered from 1 so that arcs never go up. Nodes are 0 .. n-1. *)
let components n (succ : int list array) =
  let index = Array.make n (-1) and low = Array.make n 0 and component = Array.make n 0 in
  let stack = Stack.create () and on = Array.make n false and count = ref 0 and found = ref 0 in
  for root = 0 to n - 1 do
    if index.(root) < 0 then begin
      let work = Stack.create () in
      let enter v = index.(v) <- !count; low.(v) <- !count; incr count;
        Stack.push v stack; on.(v) <- true; Stack.push (v, ref succ.(v)) work in
      enter root;
      while not (Stack.is_empty work) do
        let v, todo = Stack.top work in
        match !todo with
        | u :: rest -> todo := rest;
          if index.(u) < 0 then enter u else if on.(u) then low.(v) <- min low.(v) index.(u)
        | [] ->
          ignore (Stack.pop work);
          if low.(v) = index.(v) then begin
            incr found;
            let go = ref true in
            while !go do
              let u = Stack.pop stack in
              on.(u) <- false; component.(u) <- !found; if u = v then go := false done end;
          if not (Stack.is_empty work) then
            let p, _ = Stack.top work in low.(p) <- min low.(p) low.(v)
      done end done;
  component

let components_by n edges =
  let succ = Array.make n [] in
  List.iter (fun (a, b) -> succ.(a) <- b :: succ.(a)) edges;
  components n succ

let ranks (arcs : positive arc list) =
  let ids = Hashtbl.create 1000 in
  let id p = let k = int p in match Hashtbl.find_opt ids k with
    | Some i -> i | None -> let i = Hashtbl.length ids in Hashtbl.add ids k i; i in
  let l = List.rev_map (fun a -> let s = id a.src in s, id a.dst) arcs in
  let component = components_by (Hashtbl.length ids) l in
  Hashtbl.fold (fun k i m -> PositiveMap.add (pos k) (pos component.(i)) m) ids PositiveMap.empty

(* States on or before a cycle that satisfies the condition. *)
let live n (arcs : (int * int list * int) list) cond =
  let rec sat possible ms = function
    | ATrue -> true | AFalse -> false | AInf m -> List.mem m ms | AFin m -> possible || not (List.mem m ms)
    | AAnd (a, b) -> sat possible ms a && sat possible ms b | AOr (a, b) -> sat possible ms a || sat possible ms b in
  let rec fins = function AFin m -> [m] | AAnd (a, b) | AOr (a, b) -> fins a @ fins b | _ -> [] in
  let fins = List.sort_uniq compare (fins cond) in
  let good = Array.make n false in
  let rec search arcs =
    let component = components_by n (List.rev_map (fun (a, _, b) -> a, b) arcs) in
    let parts = Hashtbl.create 100 in
    List.iter (fun ((a, _, b) as arc) -> if component.(a) = component.(b) then
                  Hashtbl.replace parts component.(a) (arc :: Option.value ~default:[] (Hashtbl.find_opt parts component.(a)))) arcs;
    Hashtbl.iter (fun _ part ->
        let seen = Hashtbl.create 10 in
        List.iter (fun (_, m, _) -> List.iter (fun x -> Hashtbl.replace seen x ()) m) part;
        let ms = Hashtbl.fold (fun m () l -> m :: l) seen [] in
        if sat false ms cond then List.iter (fun (a, _, _) -> good.(a) <- true) part
        else if sat true ms cond then
          List.iter (fun m -> if List.mem m ms then search (List.filter (fun (_, x, _) -> not (List.mem m x)) part)) fins) parts in
  search arcs;
  let pred = Array.make n [] in
  List.iter (fun (a, _, b) -> pred.(b) <- a :: pred.(b)) arcs;
  let todo = Stack.create () and live = Array.make n false in
  let push i = if not live.(i) then (live.(i) <- true; Stack.push i todo) in
  Array.iteri (fun i g -> if g then push i) good;
  while not (Stack.is_empty todo) do List.iter push pred.(Stack.pop todo) done;
  live

(* A growing list of different things, and a queue of those that are new. *)
type ('k, 'a) numbered = { ids : ('k, int) Hashtbl.t; todo : 'a Queue.t; mutable listed : 'a list }
let numbered () = { ids = Hashtbl.create 1000; todo = Queue.create (); listed = [] }
let id x key v = match Hashtbl.find_opt x.ids key with
  | Some i -> i
  | None -> let i = Hashtbl.length x.ids in
    Hashtbl.add x.ids key i; Queue.add v x.todo; x.listed <- v :: x.listed; i
let table x key keep =
  let entries, _ = List.fold_left (fun (m, i) v -> (if keep i then PositiveMap.add (pos (i + 1)) v m else m), i - 1)
      (PositiveMap.empty, List.length x.listed - 1) x.listed in
  { entries; index = (fun v -> match Hashtbl.find_opt x.ids (key v) with
        | Some i when keep i -> Some (pos (i + 1)) | _ -> None) }

let edges_of = function Some l -> l | None -> raise (Unread "too large")

(* All states that are reached, the edges of each, and which are live. *)
let explore key succ roots cond =
  let x = numbered () and arcs = ref [] and out = Hashtbl.create 1000 in
  List.iter (fun s -> ignore (id x (key s) s)) roots;
  while not (Queue.is_empty x.todo) do
    let s = Queue.pop x.todo in
    let i = Hashtbl.find x.ids (key s) in
    let l = List.map (fun (c, (m, t)) -> let j = id x (key t) t in arcs := (i, m, j) :: !arcs; c, j, t) (edges_of (succ s)) in
    Hashtbl.replace out i l
  done;
  let live = live (Hashtbl.length x.ids) !arcs cond in
  x, out, live

let no_table = { entries = PositiveMap.empty; index = (fun _ -> None) }
let hints pf size = match all_moves pf effort with
  | None -> { states = no_table; dead = no_table; pairs = no_table; level = Fun.id; ranks; fuel } (* the check fails *)
  | Some table_of_moves ->
  let code = compile pf.kernel pf.memories (moves table_of_moves) pf.formula in
  (* A hash looks at no more than ten elements of a list: so digits are packed into numbers. *)
  let pack = List.fold_left (fun l b -> match l with
      | n :: l when n < 1 lsl 60 -> (2 * n + if b then 1 else 0) :: l
      | l -> (if b then 3 else 2) :: l) [1] in
  let key = function Inl b -> Bool.to_int b, [] | Inr (k, m) -> 2, pack (k @ m) in
  let root = Inl (not pf.truth_is) in
  let x, out, live = explore key (tsucc pf.props code) [root; Inl pf.truth_is] (all_inf 0 (1 + List.length pf.kernel)) in
  let leaving = Hashtbl.create 100 in
  List.iter (fun e -> Hashtbl.add leaving (int e.esrc) e) pf.aut.edges;
  let pairs = numbered () in
  let place s = Option.value ~default:(-1) (Hashtbl.find_opt x.ids (key s)) in
  let pair q i s = ignore (id pairs (int q, i) (q, s)) in
  List.iter (fun q -> pair q (place root) root) pf.aut.initial;
  while not (Queue.is_empty pairs.todo) do
    let q, s = Queue.pop pairs.todo in
    let edges = Hashtbl.find_all leaving (int q) in
    List.iter (fun (c, j, t) -> if live.(j) then
                  List.iter (fun e -> if not (Hashtbl.mem pairs.ids (int e.edst, j)) && meets (List.length c) c e.elabel
                              then pair e.edst j t) edges) (Hashtbl.find out (place s))
  done;
  (* No cycle leaves a component of the automaton, or of the tableau. *)
  let of_state = components_by (Hashtbl.length x.ids) (Hashtbl.fold (fun i l all -> List.rev_append (List.rev_map (fun (_, j, _) -> i, j) l) all) out []) in
  let of_aut = components_by size (List.rev_map (fun e -> int e.esrc - 1, int e.edst - 1) pf.aut.edges) in
  let levels = Array.of_list (List.rev_map (fun (q, s) ->
      pos (1 + of_aut.(int q - 1) * Hashtbl.length x.ids + of_state.(place s))) pairs.listed) in
  { states = table x key (fun _ -> true); dead = table x key (fun i -> not live.(i));
    pairs = table pairs (fun (q, s) -> int q, place s) (fun _ -> true);
    level = (fun p -> levels.(int p - 1)); ranks; fuel }

let hints2 pf (size1, size2) =
  let side a size =
    let roots = List.init size (fun q -> pos (q + 1)) in
    let x, _, live = explore int (asucc pf.props2 a) roots a.acceptance in
    table x int (fun _ -> true), table x int (fun i -> not live.(i)) in
  let states1, dead1 = side pf.aut1 size1 in
  let states2, dead2 = side pf.aut2 size2 in
  { states1; states2; dead1; dead2; ranks2 = ranks; fuel2 = 1000 }

(* ---- A proof as a theorem of Coq ---- *)

let list f l = "[" ^ String.concat "; " (List.map f l) ^ "]"
let coq_pos p = Printf.sprintf "%d%%positive" (int p)
let rec coq_label = function
  | BTrue -> "BTrue" | BFalse -> "BFalse" | BAtom p -> Printf.sprintf "(BAtom %d)" p
  | BNot a -> Printf.sprintf "(BNot %s)" (coq_label a)
  | BAnd (a, b) -> Printf.sprintf "(BAnd %s %s)" (coq_label a) (coq_label b)
  | BOr (a, b) -> Printf.sprintf "(BOr %s %s)" (coq_label a) (coq_label b)
  | BImplies (a, b) -> Printf.sprintf "(BImplies %s %s)" (coq_label a) (coq_label b)
  | BIff (a, b) -> Printf.sprintf "(BIff %s %s)" (coq_label a) (coq_label b)
  | BXor (a, b) -> Printf.sprintf "(BXor %s %s)" (coq_label a) (coq_label b)
let rec coq_re r =
  let bin o r s = Printf.sprintf "(%s %s %s)" o (coq_re r) (coq_re s) in
  let loop o r i k = Printf.sprintf "(%s %s %d %s)" o (coq_re r) i
      (match k with Some k -> Printf.sprintf "(Some %d)" k | None -> "None") in
  match r with
  | Let e -> Printf.sprintf "(Let %s)" (coq_label e) | Eps -> "Eps" | First r -> Printf.sprintf "(First %s)" (coq_re r)
  | Alt (r, s) -> bin "Alt" r s | Inter (r, s) -> bin "Inter" r s | Both (r, s) -> bin "Both" r s
  | Cat (r, s) -> bin "Cat" r s | Fuse (r, s) -> bin "Fuse" r s
  | Star (r, i, k) -> loop "Star" r i k | FuseStar (r, i, k) -> loop "FuseStar" r i k
let rec coq_ltl f =
  let un o a = Printf.sprintf "(%s %s)" o (coq_ltl a) and bin o a b = Printf.sprintf "(%s %s %s)" o (coq_ltl a) (coq_ltl b) in
  match f with
  | Tru -> "Tru" | Fls -> "Fls" | Atom p -> Printf.sprintf "(Atom %d)" p
  | Not a -> un "Not" a | Next a -> un "Next" a | Finally a -> un "Finally" a | Globally a -> un "Globally" a
  | Yesterday a -> un "Yesterday" a | WeakYesterday a -> un "WeakYesterday" a
  | Once a -> un "Once" a | Historically a -> un "Historically" a
  | And (a, b) -> bin "And" a b | Or (a, b) -> bin "Or" a b | Implies (a, b) -> bin "Implies" a b
  | Iff (a, b) -> bin "Iff" a b | Xor (a, b) -> bin "Xor" a b | Until (a, b) -> bin "Until" a b
  | Release (a, b) -> bin "Release" a b | WeakUntil (a, b) -> bin "WeakUntil" a b
  | StrongRelease (a, b) -> bin "StrongRelease" a b | Since (a, b) -> bin "Since" a b | Triggered (a, b) -> bin "Triggered" a b
  | Closure r -> Printf.sprintf "(Closure %s)" (coq_re r)
  | SuffixAnd (r, b) -> Printf.sprintf "(SuffixAnd %s %s)" (coq_re r) (coq_ltl b)
  | SuffixImp (r, b) -> Printf.sprintf "(SuffixImp %s %s)" (coq_re r) (coq_ltl b)
let rec coq_condition = function
  | ATrue -> "ATrue" | AFalse -> "AFalse" | AInf m -> Printf.sprintf "(AInf %d)" m | AFin m -> Printf.sprintf "(AFin %d)" m
  | AAnd (a, b) -> Printf.sprintf "(AAnd %s %s)" (coq_condition a) (coq_condition b)
  | AOr (a, b) -> Printf.sprintf "(AOr %s %s)" (coq_condition a) (coq_condition b)
let coq_tstate = function
  | Inl b -> Printf.sprintf "(inl %b)" b
  | Inr (k, m) -> Printf.sprintf "(inr (%s, %s))" (list string_of_bool k) (list string_of_bool m)
let coq_automaton name a = Printf.sprintf "Definition %s : hoa :=\n  {| initial := %s; edges := %s; acceptance := %s |}.\n" name
    (list coq_pos a.initial)
    (list (fun e -> Printf.sprintf "\n    {| esrc := %s; elabel := %s; edst := %s; emarks := %s |}"
              (coq_pos e.esrc) (coq_label e.elabel) (coq_pos e.edst) (list string_of_int e.emarks)) a.edges)
    (coq_condition a.acceptance)
let coq_strategy name typ coq_left nodes = Printf.sprintf "Definition %s : list (node %s) := %s.\n" name typ
    (list (fun v -> Printf.sprintf "\n  {| n_left := %s; n_at := %s; n_answers := %s |}" (list coq_left v.n_left) (list coq_pos v.n_at)
              (list (fun a -> Printf.sprintf "\n    {| a_to := %s; a_edge := %s; a_node := %s; a_on := %s |}"
                        (coq_left a.a_to) (coq_pos a.a_edge) (coq_pos a.a_node)
                        (list (fun (b, p) -> Printf.sprintf "(%b, %d)" b p) a.a_on)) v.n_answers)) (values nodes))
let coq_table eqb coq t = Printf.sprintf "list_table %s %s" eqb (list coq (values t.entries))

let print_theorem read =
  print_string "From Coq Require Import List PArith.\nImport ListNotations.\n\
                Require Import Spec Base Ltl Cycle Successors Strategy Checker InCoq.\n";
  let theorem says lemma =
    Printf.printf "Theorem proved : %s.\nProof. apply (%s pf h); vm_compute; reflexivity. Qed.\n\
                   Print Assumptions proved.\n" says lemma in
  match read.any with
  | One pf ->
    let h = hints pf (fst read.sizes) in
    Printf.printf "Definition phi : ltl := %s.\n%s%s" (coq_ltl pf.formula) (coq_automaton "A" pf.aut)
      (coq_strategy "answers" "tstate" coq_tstate pf.nodes);
    Printf.printf "Definition pf : proof := {| formula := phi; truth_is := %b; kernel := %s;\n  memories := %s; \
                   aut := A; props := %d; nodes := list_map answers |}.\n"
      pf.truth_is (list coq_ltl pf.kernel) (list coq_ltl pf.memories) pf.props;
    Printf.printf "Definition h : hints := {| states := %s;\n  dead := %s;\n  pairs := %s;\n  \
                   level := fun _ => 1%%positive; ranks := reach_ranks; fuel := 50 |}.\n"
      (coq_table "tstate_eqb" coq_tstate h.states) (coq_table "tstate_eqb" coq_tstate h.dead)
      (coq_table "pair_eqb" (fun (q, s) -> Printf.sprintf "(%s, %s)" (coq_pos q) (coq_tstate s)) h.pairs);
    theorem (Printf.sprintf "exact A phi %b" pf.truth_is) "check_sound"
  | Two pf ->
    let h = hints2 pf read.sizes in
    let table = coq_table "Pos.eqb" coq_pos in
    Printf.printf "%s%s%s%s" (coq_automaton "A" pf.aut1) (coq_automaton "B" pf.aut2)
      (coq_strategy "answers" "positive" coq_pos pf.nodes12) (coq_strategy "answers_back" "positive" coq_pos pf.nodes21);
    Printf.printf "Definition pf : proof2 := {| aut1 := A; aut2 := B; props2 := %d;\n  \
                   nodes12 := list_map answers; nodes21 := list_map answers_back |}.\n" pf.props2;
    Printf.printf "Definition h : hints2 := {| states1 := %s; states2 := %s;\n  dead1 := %s; dead2 := %s;\n  \
                   ranks2 := reach_ranks; fuel2 := 50 |}.\n" (table h.states1) (table h.states2) (table h.dead1) (table h.dead2);
    theorem "equivalent A B" "check2_sound"

(* ---- The command ---- *)

let usage = "usage: vcheck FILE...\n       vcheck --coq FILE\n"

let read_file name =
  let ic = try open_in_bin name with Sys_error why -> raise (Unread why) in
  let s = really_input_string ic (in_channel_length ic) in
  close_in ic; s

let right read = match read.any with
  | One pf -> check pf (hints pf (fst read.sizes))
  | Two pf -> check2 pf (hints2 pf read.sizes)

(* Prints a line for each file, and a total. The status is 0 if all proofs are right, 2 if a file is
   no proof or was not checked, else 1. *)
let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 200; max_overhead = 1_000_000 };
  let proved = ref 0 and refused = ref 0 and unread = ref 0 in
  let answer name =
    let refuse why = incr refused; Printf.printf "%s: refused: %s\n%!" name why in
    let unread why = incr unread; Printf.eprintf "%s: %s\n%!" name why in
    match
      let read = read_proof (read_file name) in
      read, right read
    with
    | read, true -> incr proved; Printf.printf "%s: proved: %s\n%!" name read.what
    | _, false -> refuse "the answers do not prove it; xcheck verify says where"
    | exception Wrong (expected, found) ->
      let why = Printf.sprintf "line %d: expected %s, found %S" !number_of_line expected found in
      if !number_of_line > 1 then refuse why else unread why (* not even the first line is of a proof *)
    | exception Unread why -> unread why
    | exception Stack_overflow -> unread "too large for the stack: try again after ulimit -s unlimited"
    | exception Out_of_memory -> unread "too large for the memory" in
  match List.tl (Array.to_list Sys.argv) with
  | ["--coq"; name] ->
    (try print_theorem (read_proof (read_file name)) with
     | Wrong (expected, found) ->
       Printf.eprintf "%s: line %d: expected %s, found %S\n" name !number_of_line expected found; exit 2
     | Unread why -> Printf.eprintf "%s: %s\n" name why; exit 2)
  | [] | "--coq" :: _ -> prerr_string usage; exit 2
  | files ->
    List.iter answer files;
    if List.length files > 1 then
      Printf.printf "%d proved, %d refused, %d not read\n" !proved !refused !unread;
    exit (if !unread > 0 then 2 else if !refused > 0 then 1 else 0)
