(() => {
	const {$, make, prepare} = xcheck;
	prepare(document);

	// The index: rows of causes.
	const filters = $("filters");
	if (!filters) return;
	const rows = [...document.querySelectorAll(".causes tbody tr")].map(row => ({row, text: row.textContent.toLowerCase()}));
	const buttons = [...filters.querySelectorAll("button.state")];
	const [translator, text] = [$("by-translator"), $("by-text")];
	for (const name of [...new Set(rows.map(x => x.row.dataset.translator))].sort()) translator.append(make("option", name));
	// A reader who comes back from the page of a cause finds the same rows.
	const before = history.state ?? {};
	let state = before.state ?? "";
	translator.value = before.translator ?? "";
	text.value = before.text ?? "";
	const apply = () => {
		const want = text.value.trim().toLowerCase();
		let n = 0;
		for (const {row, text} of rows) {
			const is = row.dataset.state;
			row.hidden = !((!translator.value || row.dataset.translator === translator.value) && (!state || is === state || state === "open" && is !== "fixed") && text.includes(want));
			if (!row.hidden) n++;
		}
		$("shown").textContent = `${n} of ${rows.length} ${rows.length === 1 ? "cause" : "causes"}`;
		for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.state === state);
		try { history.replaceState({state, translator: translator.value, text: text.value}, "") } catch { /* too often */ }
	};
	for (const button of buttons) button.addEventListener("click", () => {
		state = state === button.dataset.state ? "" : button.dataset.state;
		apply();
	});
	for (const field of [translator, text]) field.addEventListener("input", apply);
	$("clear").addEventListener("click", () => {
		state = translator.value = text.value = "";
		apply();
	});
	addEventListener("keydown", event => {
		if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
		text.focus();
		event.preventDefault();
	});
	filters.hidden = false;
	apply();
})();
