//! Reads a formula a line in LBT's syntax. Prints the generalized Büchi automaton of
//! rust-model-checker in HOA.
use rust_model_checker::ltl::{Ltl, LtlNNF};
use rust_model_checker::ltl_to_buechi::{LtlToNGBA, SimpleLtlToNGBA};
use std::collections::BTreeSet;

fn main() {
    for line in std::io::stdin().lines() {
        match parse(&mut line.unwrap().split_whitespace()).to_nnf() {
            // The tool's own program makes this exception, too.
            LtlNNF::False => println!("HOA: v1\nAP: 0\nAcceptance: 0 f\n--BODY--\n--END--"),
            formula => print(&formula),
        }
    }
}

fn parse<'a>(tokens: &mut impl Iterator<Item = &'a str>) -> Ltl<String> {
    match tokens.next().unwrap() {
        "t" => Ltl::True,
        "f" => Ltl::False,
        "!" => Ltl::not(parse(tokens)),
        "X" => Ltl::next(parse(tokens)),
        "F" => Ltl::finally(parse(tokens)),
        "G" => Ltl::globally(parse(tokens)),
        "&" => Ltl::and(parse(tokens), parse(tokens)),
        "|" => Ltl::or(parse(tokens), parse(tokens)),
        "U" => Ltl::until(parse(tokens), parse(tokens)),
        "V" => Ltl::release(parse(tokens), parse(tokens)),
        name => Ltl::Prop(name.to_string()),
    }
}

fn print(formula: &LtlNNF<String>) {
    let props: BTreeSet<_> = (formula.subformulas())
        .filter_map(|f| if let LtlNNF::Prop(p) | LtlNNF::NProp(p) = f { Some(p) } else { None })
        .collect();
    let mut letters = vec![BTreeSet::new()];
    for &p in &props {
        for mut letter in letters.clone() {
            letter.insert(p.clone());
            letters.push(letter);
        }
    }
    let (states, automaton) = SimpleLtlToNGBA.to_nba(formula).explore(&letters);
    let sets = automaton.accepting.len();

    println!("HOA: v1");
    automaton.initial.iter().for_each(|state| println!("Start: {}", state));
    print!("AP: {}", props.len());
    props.iter().for_each(|p| print!(" \"{}\"", p));
    print!("\nAcceptance: {} t", sets);
    (0..sets).for_each(|i| print!("&Inf({})", i));
    println!("\n--BODY--");
    for state in 0..states.len() {
        let inside = (0..sets).filter(|&i| automaton.accepting[i].contains(&state));
        println!("State: {} {{{}}}", state, inside.map(|i| format!(" {} ", i)).collect::<String>());
        for (_, letter, to) in automaton.trans.iter().filter(|edge| edge.0 == state) {
            let literal = |(i, &p)| format!("&{}{}", if letter.contains(p) { "" } else { "!" }, i);
            println!("[t{}] {}", props.iter().enumerate().map(literal).collect::<String>(), to);
        }
    }
    println!("--END--");
}
