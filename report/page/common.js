"use strict";
// What all pages have.
const xcheck = (() => {
	const $ = id => document.getElementById(id);
	const make = (name, text) => Object.assign(document.createElement(name), {textContent: text});

	// The theme: that of the system, or another for this reader.
	const themes = ["auto", "light", "dark"];
	const theme = $("theme");
	const stored = () => { try { return localStorage.getItem("xcheck-theme") } catch { return null } };
	const show = name => {
		if (name === "auto") delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = name;
		theme.querySelector("span").textContent = name;
	};
	let current = themes.includes(stored()) ? stored() : "auto";
	show(current);
	theme.hidden = false;
	theme.addEventListener("click", () => {
		current = themes[(themes.indexOf(current) + 1) % themes.length];
		show(current);
		try { localStorage.setItem("xcheck-theme", current) } catch { /* it lasts as long as the page */ }
	});

	const copy = async (pre, button) => {
		let done = "Copied";
		try {
			await navigator.clipboard.writeText(pre.textContent);
		} catch {
			getSelection().selectAllChildren(pre); // then it takes a key
			done = "Selected";
		}
		button.textContent = done;
		setTimeout(() => { button.textContent = "Copy" }, 1500);
	};

	// A step of a run is marked in the picture when its row is pointed at, or has the focus.
	const steps = run => {
		const edges = [...run.querySelectorAll(".drawing [data-steps]")];
		if (edges.length === 0) return;
		for (const row of run.querySelectorAll(".steps tr[data-step]")) {
			const mark = on => {
				row.classList.toggle("lit", on);
				for (const edge of edges) {
					if (edge.dataset.steps.split(" ").includes(row.dataset.step)) edge.classList.toggle("lit", on);
				}
			};
			row.tabIndex = 0;
			row.addEventListener("pointerenter", () => mark(true));
			row.addEventListener("pointerleave", () => mark(false));
			row.addEventListener("focus", () => mark(true));
			row.addEventListener("blur", () => mark(false));
			row.addEventListener("keydown", event => {
				const next = event.key === "ArrowDown" ? row.nextElementSibling : event.key === "ArrowUp" ? row.previousElementSibling : null;
				if (next) { next.focus(); event.preventDefault() }
			});
		}
	};

	// A picture that is shown smaller than it is has a button for its own size.
	const zoom = drawing => {
		const svg = drawing.querySelector("svg"), box = svg.getBoundingClientRect();
		if (drawing.nextElementSibling?.className === "zoom-in" || box.width === 0 || box.width >= svg.width.baseVal.value * 0.95) return;
		const button = make("button", "Zoom");
		button.className = "zoom-in";
		button.type = "button";
		button.addEventListener("click", () => { button.textContent = drawing.classList.toggle("zoom") ? "Fit" : "Zoom" });
		drawing.after(button);
	};

	// Buttons to copy commands, and runs whose steps are marked.
	const prepare = box => {
		for (const command of box.querySelectorAll(".command")) {
			if (command.querySelector(".copy")) continue;
			const button = make("button", "Copy");
			button.className = "copy";
			button.type = "button";
			button.addEventListener("click", () => copy(command.querySelector("pre"), button));
			command.append(button);
		}
		for (const run of box.querySelectorAll(".run")) steps(run);
		for (const drawing of box.querySelectorAll(".drawing")) zoom(drawing);
	};
	// Tables are sorted by a click on a header, or by Enter there.
	for (const table of document.querySelectorAll(".sortable")) {
		const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
		const key = (row, i) => { const cell = row.cells[i]; return cell.dataset.key ?? cell.textContent.trim() };
		heads.forEach((head, i) => {
			const sort = () => {
				const up = head.ariaSort ? head.ariaSort === "descending" : !head.classList.contains("n") || i === 0;
				for (const other of heads) other.ariaSort = null;
				head.ariaSort = up ? "ascending" : "descending";
				const rows = [...body.rows].map(row => ({row, key: key(row, i)}));
				rows.sort((a, b) => (up ? 1 : -1) * (a.key !== "" && b.key !== "" && !isNaN(a.key) && !isNaN(b.key) ? a.key - b.key : a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
				body.append(...rows.map(x => x.row));
			};
			head.tabIndex = 0;
			head.addEventListener("click", sort);
			head.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { sort(); event.preventDefault() } });
		});
	}

	return {$, make, prepare};
})();
