// For browsers too old for the pages: one sentence instead of an empty page. Written in ES5 (2009).
(function () {
  var script = document.currentScript;
  var able =
    "noModule" in HTMLScriptElement.prototype && Array.prototype.findLast && window.HTMLDialogElement;
  if (able) return;
  function say(text) {
    var note = document.createElement("p");
    note.className = "note bad";
    note.textContent = text;
    var main = document.getElementById("main");
    main.insertBefore(note, main.firstChild);
  }
  var name = (navigator.language || "en").slice(0, 2);
  var code = /^(en|ru|ro|fr|de)$/.test(name) ? name : "en";
  var request = new XMLHttpRequest();
  request.onload = function () {
    say(JSON.parse(request.responseText).old_browser);
  };
  request.open("GET", script.src.replace(/[^/]*$/, "i18n/" + code + ".json"));
  request.send();
})();
