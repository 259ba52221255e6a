// Search in the sections of all pages. The index is loaded when the field gets the focus. The page
// that is open is shown in the list of pages.
"use strict";
{
	const form = document.getElementById("_search");
	const field = document.getElementById("_query");
	const list = document.getElementById("_results");
	const most = 12;
	let sections; // {file, kind, title, anchor, heading, text, lower…} of all pages
	let selected = -1;

	const load = () => {
		if (sections) return;
		sections = [];
		const script = document.createElement("script");
		script.src = form.dataset.index;
		script.onload = () => {
			for (const {file, kind, title, sections: parts} of searchIndex) {
				parts.forEach(({anchor, heading, text}, i) => sections.push({
					href: i ? file + "#" + anchor : file, kind, title, heading: i ? heading : "", text,
					names: [title, heading].map(s => s.toLowerCase()), first: !i, lower: text.toLowerCase(),
				}));
			}
			show();
		};
		document.head.append(script);
	};

	// found is 3 for a whole word of a text, 2 for the start of a word, 1 for another part of three
	// letters or more, or else 0.
	const letter = /[\p{L}\p{N}]/u;
	const found = (text, word) => {
		let best = 0;
		for (let at = text.indexOf(word); at >= 0 && best < 3; at = text.indexOf(word, at + 1)) {
			const starts = !at || !letter.test(text[at - 1]), end = at + word.length;
			const ends = end === text.length || !letter.test(text[end]);
			best = Math.max(best, starts ? ends ? 3 : 2 : word.length > 2 ? 1 : 0);
		}
		return best;
	};

	// score ranks a section: titles first, then headings, then text. It is 0 if a word is missing.
	const score = (s, words, query) => {
		let sum = 0, here = s.first;
		for (const word of words) {
			const title = found(s.names[0], word), heading = found(s.names[1], word), text = found(s.lower, word);
			if (!title && !heading && !text) return 0;
			if (heading || text) here = true; // and not only in the title of its page
			sum += Math.max((s.first ? 12 : 2) * title, 8 * heading, text);
		}
		if (!here) return 0;
		if (s.names[1] === query || s.first && s.names[0] === query) sum += 50;
		return s.kind === "Help" || s.href.startsWith("schema.html") ? sum * 0.5 : sum;
	};

	// marked appends a text to an element, with the words marked.
	const marked = (element, text, words) => {
		const escaped = words.map(w => w.replace(/[^\p{L}\p{N}]/gu, c => "\\u{" + c.codePointAt(0).toString(16) + "}")).sort((a, b) => b.length - a.length);
		text.split(new RegExp("(" + escaped.join("|") + ")", "giu")).forEach((part, i) => {
			if (i % 2) element.append(Object.assign(document.createElement("mark"), {textContent: part}));
			else element.append(part);
		});
		return element;
	};

	// excerpt returns the text around the first of the words.
	const excerpt = (s, words) => {
		const places = words.map(w => s.lower.indexOf(w)).filter(at => at >= 0);
		let from = Math.max(0, Math.min(...places, s.text.length) - 40);
		if (!places.length) from = 0;
		if (from) from = s.text.indexOf(" ", from) + 1;
		return (from ? "… " : "") + s.text.slice(from, from + 160);
	};

	const show = () => {
		const query = field.value.trim().toLowerCase(), words = query.split(/\s+/).filter(Boolean);
		selected = -1;
		field.removeAttribute("aria-activedescendant");
		const hits = !words.length ? [] : (sections ?? []).map(s => [score(s, words, query), s])
			.filter(([points]) => points).sort(([a], [b]) => b - a).slice(0, most);
		list.replaceChildren(...hits.map(([, s], i) => {
			const link = Object.assign(document.createElement("a"), {href: s.href, id: "_result-" + i, tabIndex: -1});
			link.setAttribute("role", "option");
			link.setAttribute("aria-selected", "false");
			const name = document.createElement("b");
			marked(name, s.heading ? s.title + " › " + s.heading : s.title, words);
			link.append(Object.assign(document.createElement("small"), {textContent: s.kind}), name,
				marked(document.createElement("span"), excerpt(s, words), words));
			return link;
		}));
		if (words.length && !hits.length && sections?.length) {
			list.append(Object.assign(document.createElement("p"), {textContent: "Nothing found."}));
		}
		open(words.length > 0 && list.childElementCount > 0);
		if (hits.length) select(0);
	};

	const open = is => {
		list.hidden = !is;
		field.setAttribute("aria-expanded", String(is));
	};

	const select = i => {
		const links = list.querySelectorAll("a");
		if (!links.length) return;
		links[selected]?.setAttribute("aria-selected", "false");
		selected = (i + links.length) % links.length;
		links[selected].setAttribute("aria-selected", "true");
		links[selected].scrollIntoView({block: "nearest"});
		field.setAttribute("aria-activedescendant", links[selected].id);
	};

	const here = document.querySelector("#_pages [aria-current]"), pages = document.getElementById("_pages");
	if (here) pages.scrollTop = here.offsetTop - pages.clientHeight / 2;
	form.hidden = false;
	field.addEventListener("focus", () => { load(); show(); });
	field.addEventListener("input", show);
	list.addEventListener("click", () => open(false));
	form.addEventListener("focusout", e => { if (!form.contains(e.relatedTarget)) open(false); });
	form.addEventListener("submit", e => {
		e.preventDefault();
		list.querySelectorAll("a")[selected]?.click();
	});
	field.addEventListener("keydown", e => {
		if (e.key === "ArrowDown") select(selected + 1);
		else if (e.key === "ArrowUp") select(selected - 1);
		else if (e.key === "Escape") { field.value = ""; show(); field.blur(); }
		else return;
		e.preventDefault();
	});
	addEventListener("keydown", e => {
		if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input, textarea, select")) return;
		e.preventDefault();
		field.focus();
		field.select();
	});
}
