// A button copies a file, or the commands of a terminal without what they print.
"use strict";
for (const pre of document.querySelectorAll("article pre")) {
	const commands = [...pre.querySelectorAll(".prompt + b")].map(b => b.textContent + "\n").join("");
	if (!commands && !pre.classList.contains("chroma")) continue;
	const box = document.createElement("div"), button = document.createElement("button");
	box.className = "copied";
	pre.replaceWith(box);
	button.type = "button";
	button.textContent = "Copy";
	button.addEventListener("click", async () => {
		try {
			await navigator.clipboard.writeText(commands || pre.textContent);
			button.textContent = "Copied";
		} catch {
			getSelection().selectAllChildren(pre);
			button.textContent = "Selected";
		}
		setTimeout(() => { button.textContent = "Copy" }, 1500);
	});
	box.append(pre, button);
}
