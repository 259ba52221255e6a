import gov.nasa.ltl.graphio.Writer;
import gov.nasa.ltl.trans.*;
import java.io.*;
import java.util.List;

/**
 * Reads a formula a line in Spin's syntax. Prints the never claim of JPF's LTL2Buchi. The arguments
 * -norw, -nobisim, -nofsim and ltl2aut are the tool's.
 */
class LTL2BuchiLines {
	public static void main(String[] args) throws Exception {
		List<String> off = List.of(args);
		Translator.setAlgorithm(off.contains("ltl2aut") ? Translator.Algorithm.LTL2AUT : Translator.Algorithm.LTL2BUCHI);
		var debug = LTL2Buchi.class.getDeclaredField("debug"); // it prints each step
		debug.setAccessible(true);
		debug.set(null, false);

		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
		for (String line; (line = lines.readLine()) != null; System.out.flush()) {
			var graph = LTL2Buchi.translate(line, !off.contains("-norw"), !off.contains("-nobisim"), !off.contains("-nofsim"));
			ByteArrayOutputStream text = new ByteArrayOutputStream();
			Writer<String> writer = Writer.getWriter(Writer.Format.SPIN, new PrintStream(text, true));
			writer.write(graph);
			// It prints a word for an automaton without states.
			String claim = text.toString().trim();
			System.out.println(claim.equals("Empty") ? "never { T0_init: false; }" : claim);
		}
	}
}
