// Reads a formula a line in Spot's syntax, without constants, with propositions p0 to p9. Prints the
// Büchi automaton of luke36/LTL in HOA. Its states are private: compile with -fno-access-control.
#include "buchi.hpp"
#include "parse.hpp"
#include <iostream>

int main() {
	for (std::string line; std::getline(std::cin, line);) {
		Numbering ap;
		for (char digit = '0'; digit <= '9'; digit++)
			if (line.find({'p', digit}) != std::string::npos)
				ap.addString({'p', digit});

		std::string text;
		for (char c : line)
			text += c == '&' ? "/\\" : c == '|' ? "\\/" : std::string(1, c);
		std::FILE *file = fmemopen(text.data(), text.size(), "r");
		BA automaton(genGBA(genVWAA(ap.size(), parse(file, ap).toNNF())));
		std::fclose(file);

		std::cout << "HOA: v1\n";
		for (auto state : automaton.initial)
			std::cout << "Start: " << state->id << "\n";
		std::cout << "AP: " << ap.size();
		for (size_t i = 0; i < ap.size(); i++)
			std::cout << " \"" << *ap.toString(i) << "\"";
		std::cout << "\nAcceptance: 1 Inf(0)\n--BODY--\n";
		for (auto state : automaton.states) {
			std::cout << "State: " << state->id << (state->is_final ? " {0}\n" : "\n");
			for (auto &edge : state->ts) {
				std::cout << "[t";
				for (size_t i = 0; i < ap.size(); i++)
					std::cout << (edge.pos.has(i) ? "&" + std::to_string(i) : "")
						  << (edge.neg.has(i) ? "&!" + std::to_string(i) : "");
				std::cout << "] " << edge.to->id << "\n";
			}
		}
		std::cout << "--END--" << std::endl;
	}
}
