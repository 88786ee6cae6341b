/**
 * What a picture can't hold, or what would change more than itself: control characters, what is no character, and marks
 * that turn the direction of all that follows.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const UNWANTED = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: lines of a text panel are kept
const UNWANTED_IN_LINES =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/g

/** One line of text that can stand in a picture, of at most so many letters. */
export function cleanLine(text: string, maxChars: number): string {
  return shortened(text, maxChars).replace(UNWANTED, ' ').trim()
}

/** The lines of a text. */
export function cleanLines(text: string, maxChars: number): string[] {
  return shortened(text, maxChars)
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replace(UNWANTED_IN_LINES, ' ')
    .split('\n')
}

/** Halves of letters become the sign for what can't be shown. */
function shortened(text: string, maxChars: number): string {
  return text.length <= maxChars ? text.toWellFormed() : `${text.slice(0, maxChars).toWellFormed()}…`
}
