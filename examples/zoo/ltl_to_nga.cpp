// Reads a formula a line in LBT's syntax, with t, !, &, X, U and propositions p0, p1, and so on.
// Prints the generalized Büchi automaton of LTL_to_NGA in HOA.
#include "ltl/closure.hpp"
#include "utils/reader.hpp"
#include <algorithm>
#include <iostream>

int main() {
	for (std::string line; std::getline(std::cin, line);) {
		std::replace(line.begin(), line.end(), '&', '^');
		stdin = fmemopen(line.data(), line.size(), "r"); // the reader reads from there
		auto translation = ltl::converting::construct(reader::read_formula());
		std::fclose(stdin);
		auto [states, propositions, table, initial, accepting] = translation->get_automaton_representation();
		size_t untils = 0;
		for (auto &f : translation->get_closure())
			if (f->get_kind() == ltl::ltl::kind::until)
				accepting[untils++]; // a U without a set has the empty one

		std::cout << "HOA: v1\n";
		for (auto state : initial)
			std::cout << "Start: " << state << "\n";
		std::cout << "AP: " << propositions.size();
		for (auto p : propositions)
			std::cout << " \"p" << p << "\"";
		std::cout << "\nAcceptance: " << accepting.size() << " t";
		for (size_t i = 0; i < accepting.size(); i++)
			std::cout << "&Inf(" << i << ")";
		std::cout << "\n--BODY--\n";
		// Some numbers have no state of the tool: HOA wants these, too.
		for (size_t state = 0; !states.empty() && state <= *states.rbegin(); state++) {
			std::cout << "State: " << state << " {";
			for (auto &[i, set] : accepting)
				if (set.contains(state))
					std::cout << " " << i;
			std::cout << " }\n";
			auto &[letter, successors] = table[state];
			for (auto to : successors) {
				std::cout << "[t";
				size_t i = 0;
				for (auto p : propositions)
					std::cout << (letter.contains(p) ? "&" : "&!") << i++;
				std::cout << "] " << to << "\n";
			}
		}
		std::cout << "--END--" << std::endl;
	}
}
