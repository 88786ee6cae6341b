/**
 * What a picture can't hold, or what would change more than itself: control characters, what is no character, and marks
 * that turn the direction of all that follows.
 */
const UNWANTED = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/gu

/** One line of text that can stand in a picture, of at most so many letters. */
export function cleanLine(text: string, maxChars: number): string {
  return shortened(text, maxChars).replace(UNWANTED, ' ').trim()
}

/** The lines of a text. */
export function cleanLines(text: string, maxChars: number): string[] {
  return shortened(text, maxChars)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll('\t', '  ').replace(UNWANTED, ' '))
}

/** Halves of letters become the sign for what can't be shown. */
function shortened(text: string, maxChars: number): string {
  return text.length <= maxChars ? text.toWellFormed() : `${text.slice(0, maxChars).toWellFormed()}…`
}
