import java.io.*;

/**
 * Reads a formula a line in LBT's syntax. Prints its automaton by PRISM's jltl2ba or jltl2dstar, as
 * the argument says: a never claim or ltl2dstar's format.
 */
class Prism {
	public static void main(String[] args) throws Exception {
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
		for (String line; (line = lines.readLine()) != null; System.out.flush()) {
			ByteArrayOutputStream text = new ByteArrayOutputStream();
			PrintStream out = new PrintStream(text, true);
			if (args[0].equals("jltl2ba"))
				new jltl2ba.Jltl2baCmdLine().run(line, out);
			else
				new jltl2dstar.Jltl2dstarCmdLine().run(line, out);
			text.writeTo(System.out);
		}
	}
}
