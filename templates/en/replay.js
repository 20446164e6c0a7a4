"use strict";
(() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const one = (what) => document.querySelector(what);
  const turns = all(".turn"), layers = [turns, all(".ground"), all(".above")];
  const slider = one("#phase"), where = one("#where"), play = one("#play");
  const map = one("#map"), larger = one("#larger"), now = one(".now");
  const last = turns.length - 1;
  let at = last, running = 0;

  const show = (number) => {
    at = Math.min(Math.max(number, 0), last);
    for (const layer of layers) layer.forEach((each, n) => each.toggleAttribute("hidden", n !== at));
    const title = one(`#h${at}`).textContent;
    slider.value = at;
    slider.setAttribute("aria-valuetext", title);
    where.textContent = title;
    if (now) {
      const wide = Number(now.parentNode.dataset.wide);
      now.setAttribute("transform", `translate(${(at + 0.5) * wide} 0)`);
    }
  };
  const stop = () => {
    clearInterval(running);
    running = 0;
    play.setAttribute("aria-pressed", "false");
  };
  const go = (number) => { stop(); show(number); };

  one("#first").addEventListener("click", () => go(0));
  one("#back").addEventListener("click", () => go(at - 1));
  one("#on").addEventListener("click", () => go(at + 1));
  one("#last").addEventListener("click", () => go(last));
  slider.addEventListener("input", () => go(Number(slider.value)));
  play.addEventListener("click", () => {
    if (running) { stop(); return; }
    if (at === last) show(0);
    play.setAttribute("aria-pressed", "true");
    running = setInterval(() => { if (at === last) stop(); else show(at + 1); }, 1500);
  });
  if (larger) larger.addEventListener("click", () => {
    const is = map.classList.toggle("large");
    larger.setAttribute("aria-pressed", String(is));
  });

  const keys = {
    ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => last,
  };
  document.addEventListener("keydown", (event) => {
    const scrolls = event.target.closest && event.target.closest(".map.large, .wide");
    if (event.target === slider || scrolls || !keys[event.key]) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(keys[event.key]());
  });
  const named = () => {
    const found = /^#t(\d+)$/.exec(location.hash);
    return found ? Number(found[1]) : last;
  };
  addEventListener("hashchange", () => go(named()));
  for (const each of all(".leaf")) each.hidden = false;
  document.documentElement.classList.add("scripted");
  show(named());
})();
