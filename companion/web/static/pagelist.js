// Every page of the menu: name, URL, and the key of its title. The head shows the first few, the menu sheet
// all.
export const HEAD = 3;
export const PAGES = [
  ["battle", "/", "battle_page"],
  ["map", "/map", "map_page"],
  ["seat", "/seat", "seat_page"],
  ["camera", "/camera", "camera_page"],
  ["winter", "/winter", "winter_page"],
  ["history", "/history", "history_page"],
  ["end", "/end", "end_page"],
  ["throws", "/throws", "throws_page"],
  ["statistics", "/statistics", "statistics_page"],
  ["sensor", "/sensor", "cell.page"],
  ["host", "/host", "host.title"],
  ["watch", "/watch", "watch_page"],
  ["calibrate", "/calibrate", "calibrate.page"],
];
