"use strict";
(() => {
  const line = document.querySelector(".left"), time = line.querySelector("time");
  const until = new Date(time.dateTime), units = [["day", 86400000], ["hour", 3600000], ["minute", 60000]];
  const said = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
  const show = () => {
    const left = until - Date.now();
    const [unit, length] = units.find(([, each]) => Math.abs(left) >= 2 * each) || units[2];
    time.textContent = said.format(Math.trunc(left / length), unit);
  };
  time.title = until.toLocaleString(document.documentElement.lang);
  show();
  line.hidden = false;
  setInterval(show, 30000);
})();
