// The load cell's trouble, in this device's language.
import { t } from "./i18n.js";

export const cellTroubleText = ({ name, port, sentence, remedy }) =>
  t(`cell.trouble.${name}`, { port, sentence: `${sentence} ${remedy}` });
