(* Reads a formula a line in Spot's syntax with propositions p0, p1, and so on. Prints the Büchi
   automaton of LTL-to-BA in HOA. Names have no digits there: p12 is pbc. *)
open Printf

let shift by c = Char.chr (Char.code c + by)

let spelled line =
  let name = ref false in
  let spell c =
    name := c = 'p' || (!name && '0' <= c && c <= '9');
    match c with
    | '&' | '|' -> sprintf "%c%c" c c
    | '0' .. '9' when !name -> sprintf "%c" (shift 49 c)
    | _ -> sprintf "%c" c
  in
  String.concat "" (List.map spell (List.of_seq (String.to_seq line)))

let print (b : Buchi.buchi) =
  let number = List.mapi (fun i s -> (s, i)) b.states in
  let props = Ltl.SetString.elements b.alphabet in
  let edge letter successor =
    printf "[t";
    List.iteri (fun i p -> printf "&%s%d" (if Ltl.SetString.mem p letter then "" else "!") i) props;
    printf "] %d\n" (List.assq successor number)
  in
  let state (s, i) =
    printf "State: %d%s\n" i (if List.memq s b.final_states then " {0}" else "");
    Hashtbl.iter (fun successor letter -> edge letter successor) (Hashtbl.find b.eval s)
  in
  printf "HOA: v1\n";
  List.iter (fun s -> printf "Start: %d\n" (List.assq s number)) b.init_states;
  printf "AP: %d" (List.length props);
  List.iter (fun p -> printf " \"p%s\"" (String.map (shift (-49)) (String.sub p 1 (String.length p - 1)))) props;
  printf "\nAcceptance: 1 Inf(0)\n--BODY--\n";
  List.iter state number;
  printf "--END--\n%!"

let rec lines () =
  print (Buchi.create_automaton (Parser.start Lexer.main (Lexing.from_string (spelled (input_line stdin)))));
  lines ()

let () = try lines () with End_of_file -> ()
