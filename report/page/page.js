(() => {
	const {$, make, prepare} = xcheck;
	if ($("new")) prepare($("new"));

	// Details of a group are made when it is opened, if they are in a pack.
	const unpack = async text => {
		const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
		return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
	};
	const packs = [...document.querySelectorAll(".pack")].map(script => ({script}));
	const groups = [...document.querySelectorAll(".group")];
	const fill = async group => {
		if (group.dataset.ready) return;
		group.dataset.ready = "yes";
		if (group.dataset.later) {
			const [i, place] = group.dataset.later.split("."), pack = packs[i];
			pack.texts ??= unpack(pack.script.textContent);
			const text = await pack.texts.then(texts => texts[place], () => "<p class=note>This browser cannot unpack the details.</p>");
			group.insertAdjacentHTML("beforeend", text);
		}
		prepare(group);
	};
	for (const group of groups) group.addEventListener("toggle", () => { if (group.open) fill(group) });

	// A group that is linked to is open.
	const target = () => {
		const group = $(decodeURIComponent(location.hash.slice(1)));
		if (!group?.classList.contains("group")) return;
		const fold = group.closest(".fold");
		if (fold) fold.open = true;
		if (group.hidden) clear();
		group.open = true;
		group.querySelector("summary").focus();
	};
	addEventListener("hashchange", target);
	// A printed page has the evidence of its first groups.
	addEventListener("beforeprint", () => { for (const group of groups.slice(0, 10)) group.open = true });

	// Filters.
	const filters = $("filters");
	const rows = [...document.querySelectorAll("#failing tbody tr")];
	const keys = {translator: $("by-translator"), kind: $("by-kind"), state: $("by-state"), text: $("by-text")};
	// A kind is what a class begins with: "crash" of "crash (SIGSEGV): out of memory".
	for (const group of groups) group.dataset.kind = group.querySelector(".class").textContent.replace(/ ?[\d:(].*/s, "");
	const options = (field, names) => { for (const name of [...new Set(names)].sort()) field.append(make("option", name)) };
	const texts = new Map();
	const textOf = e => {
		if (!texts.has(e)) texts.set(e, (e.querySelector(".formula, .code")?.textContent ?? "").toLowerCase());
		return texts.get(e);
	};
	const apply = () => {
		const want = {};
		for (const [name, field] of Object.entries(keys)) want[name] = field ? field.value : "";
		const text = want.text.trim().toLowerCase();
		const fits = e => (!want.translator || e.dataset.translators.split("\n").includes(want.translator)) && (!text || textOf(e).includes(text));
		for (const group of groups) {
			group.hidden = !(fits(group) && (!want.kind || group.dataset.kind === want.kind) && (!want.state || group.dataset.state === want.state));
		}
		// The state is one of groups: a formula has it if a group with it has one of its failures.
		const split = kind => kind.replace(/ words$/, "").split(" and ");
		const kind = split(want.kind), shown = new Set();
		for (const group of groups.filter(g => !g.hidden)) {
			for (const name of group.dataset.translators.split("\n")) for (const k of split(group.dataset.kind)) shown.add(name + "\n" + k);
		}
		for (const row of rows) {
			const kinds = row.dataset.kind.split("\n");
			const has = () => row.dataset.translators.split("\n").some(name => name && kinds.some(c => shown.has(name + "\n" + c.replace(/ ?[\d:(].*/s, ""))));
			row.hidden = !(fits(row) && (!want.kind || kinds.some(c => kind.some(k => c.startsWith(k)))) && (!want.state || has()));
		}
		const counted = (list, one, many) => list.length ? [`${list.filter(e => !e.hidden).length} of ${list.length} ${list.length === 1 ? one : many}`] : [];
		const minor = groups.filter(g => g.closest("#minor"));
		$("shown").textContent = [
			...counted(groups.filter(g => !minor.includes(g)), "group of failures", "groups of failures"),
			...counted(minor, "kind of minor finding", "kinds of minor findings"),
			...counted(rows, filters.dataset.noun, filters.dataset.plural)].join(", ");
		for (const button of document.querySelectorAll("button.state")) button.setAttribute("aria-pressed", want.state === button.dataset.state);
	};
	const clear = () => {
		for (const field of Object.values(keys)) if (field) field.value = "";
		apply();
	};
	if (filters) {
		filters.hidden = false;
		options(keys.translator, groups.flatMap(g => g.dataset.translators.split("\n").slice(0, -1)));
		options(keys.kind, groups.map(g => g.dataset.kind));
		for (const field of Object.values(keys)) field?.addEventListener("input", apply);
		$("clear").addEventListener("click", clear);
		$("open-all").addEventListener("click", () => {
			const shown = groups.filter(g => !g.hidden);
			const open = shown.slice(0, 100).some(g => !g.open);
			for (const group of shown.slice(0, open ? 100 : shown.length)) group.open = open;
			$("open-all").textContent = open ? "Close all" : "Open all";
		});
		for (const button of document.querySelectorAll("button.state")) {
			button.disabled = false;
			button.addEventListener("click", () => {
				keys.state.value = keys.state.value === button.dataset.state ? "" : button.dataset.state;
				apply();
			});
		}
		addEventListener("keydown", event => {
			if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
			keys.text.focus();
			event.preventDefault();
		});
		apply();
	}
	target();

	// The scatter plot: dots for inputs, by a measure of two translators, on logarithmic axes.
	const points = $("points");
	if (points) scatter(JSON.parse(points.textContent));

	function scatter(data) {
		const [measure, x, y] = [$("measure"), $("x"), $("y")];
		for (const name of data.measures) measure.append(make("option", name));
		for (const field of [x, y]) for (const name of data.tools) field.append(make("option", name));
		// The first pair has the translators that are not built in.
		x.selectedIndex = data.tools.indexOf(data.pairs[0].row);
		y.selectedIndex = data.tools.indexOf(data.pairs[0].column);
		const number = v => v === 0 ? "0" : Math.abs(v) >= 1e-3 && Math.abs(v) < 1e6 ? String(+v.toPrecision(4)) : v.toExponential(2);
		const svg = (name, attributes, text) => {
			const e = document.createElementNS("http://www.w3.org/2000/svg", name);
			for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
			if (text !== undefined) e.textContent = text;
			return e;
		};
		const unit = m => `${data.measures[m]}${data.measures[m] === "time" ? " in s" : ""} (logarithmic)`;
		const left = 62, top = 10, side = 420, gutter = 20;

		// axis maps numbers to places from 0 to side; what is 0 has no logarithm, and a gutter.
		const axis = dots => {
			let low = Infinity, high = -Infinity, zero = false;
			for (const d of dots) for (const v of [d.x, d.y]) {
				if (v > 0) { low = Math.min(low, Math.log10(v)); high = Math.max(high, Math.log10(v)) } else zero = true;
			}
			if (low > high) [low, high] = [0, 1];
			const margin = Math.max(0.05 * (high - low), 0.1);
			low -= margin;
			high += margin;
			const from = zero ? gutter : 0;
			return {low, high, zero, from, place: v => v > 0 ? from + (side - from) * (Math.log10(v) - low) / (high - low) : gutter / 2};
		};
		const ticks = a => {
			const list = a.zero ? [0] : [];
			const steps = a.high - a.low > 3 ? [1] : [1, 2, 5], every = 1 + Math.floor((a.high - a.low) / 8);
			for (let k = Math.floor(a.low); k <= a.high; k += every) for (const s of steps) {
				const l = Math.log10(s) + k;
				if (l >= a.low && l <= a.high) list.push(s * 10 ** k);
			}
			return list;
		};
		const draw = () => {
			const m = measure.selectedIndex, i = x.selectedIndex, j = y.selectedIndex, M = data.measures.length;
			const dots = [];
			for (const p of data.points) {
				const a = p.v[i * M + m], b = p.v[j * M + m];
				if (a !== null && b !== null) dots.push({x: a, y: b, f: p.f});
			}
			// Dots at one place are one, larger.
			const a = axis(dots), cells = new Map();
			for (const d of dots) {
				const key = Math.round(a.place(d.x)) * 1000 + Math.round(a.place(d.y));
				if (!cells.has(key)) cells.set(key, {...d, n: 0, fs: []});
				const c = cells.get(key);
				c.n++;
				if (c.fs.length < 3) c.fs.push(d.f);
			}
			const picture = svg("svg", {role: "img", viewBox: `0 0 ${left + side + 10} ${top + side + 46}`, "aria-label": `${data.measures[m]} of ${data.tools[i]} on the x-axis, of ${data.tools[j]} on the y-axis`});
			const bottom = top + side;
			for (const v of ticks(a)) {
				const at = a.place(v);
				picture.append(svg("path", {class: "grid", d: `M${left + at} ${top}V${bottom}M${left} ${bottom - at}H${left + side}`}),
					svg("text", {class: "tick", "text-anchor": "middle", x: left + at, y: bottom + 16}, number(v)),
					svg("text", {class: "tick", "text-anchor": "end", x: left - 6, y: bottom - at + 4}, number(v)));
			}
			picture.append(svg("path", {class: "diagonal", d: `M${left + a.from} ${bottom - a.from}L${left + side} ${top}`}),
				svg("path", {class: "frame", d: `M${left} ${top}h${side}v${side}h${-side}z`}),
				svg("text", {"text-anchor": "middle", x: left + side / 2, y: bottom + 38}, `${data.tools[i].slice(0, 60)}: ${unit(m)}`),
				svg("text", {"text-anchor": "middle", transform: `translate(14 ${top + side / 2}) rotate(-90)`}, `${data.tools[j].slice(0, 60)}: ${unit(m)}`));
			for (const c of [...cells.values()].sort((c, d) => d.n - c.n)) {
				const dot = svg("circle", {class: c.x < c.y ? "row" : c.x > c.y ? "column" : "equal", cx: left + a.place(c.x), cy: bottom - a.place(c.y), r: 3 + 2 * Math.log10(c.n)});
				dot.append(svg("title", {}, `${number(c.x)} and ${number(c.y)}\n${c.fs.join("\n")}${c.n > c.fs.length ? `\n… and ${c.n - c.fs.length} more` : ""}`));
				picture.append(dot);
			}
			$("picture").replaceChildren(picture);
			caption(m, i, j, dots);
		};
		const caption = (m, i, j, dots) => {
			const [row, column, name] = [data.tools[i], data.tools[j], data.measures[m]];
			$("better-x").textContent = `${row} is smaller`;
			$("better-y").textContent = `${column} is smaller`;
			const pair = data.pairs.find(p => p.measure === name && (p.row === row && p.column === column || p.row === column && p.column === row));
			let text = `${name}: ${dots.length} inputs`;
			if (data.points.length < data.all) text += ` (a sample, with the largest, of ${data.all})`;
			if (pair) {
				const turned = pair.row !== row, less = turned ? pair.larger : pair.smaller, more = turned ? pair.smaller : pair.larger;
				text += `. Both made ${pair.inputs}: ${row} is smaller on ${less}, equal on ${pair.equal}, larger on ${more}`;
				if (pair.ratio_inputs > 0) text += `; geometric mean of ${row} / ${column}: ${number(turned ? 1 / pair.ratio : pair.ratio)}`;
			}
			$("plot-caption").textContent = i === j ? "Choose two different translators." : text + ".";
			const far = dots.filter(d => d.x !== d.y && d.x > 0 && d.y > 0).sort((d, e) => Math.abs(Math.log(e.x / e.y)) - Math.abs(Math.log(d.x / d.y))).slice(0, 10);
			$("farthest").replaceChildren(...far.map(d => {
				const item = make("li", `${number(d.x)} and ${number(d.y)}: `);
				item.append(make("code", d.f));
				return item;
			}));
			$("farthest").previousElementSibling.hidden = far.length === 0;
		};
		for (const field of [measure, x, y]) field.addEventListener("input", draw);
		$("swap").addEventListener("click", () => {
			[x.selectedIndex, y.selectedIndex] = [y.selectedIndex, x.selectedIndex];
			draw();
		});
		$("scatter").hidden = false;
		draw();
	}
})();
