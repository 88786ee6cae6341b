const LONGEST_NAME = 200

/** Letters that are one with their accents, and what is written for them. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i'
}
/** Letters of Chinese, Japanese and, taken apart, Korean. */
const EASTERN = '\\u1100-\\u11ff\\u2e80-\\uffff'
const LATIN_BEFORE_EASTERN = new RegExp(`([a-z])([${EASTERN}])`, 'gi')
const EASTERN_BEFORE_LATIN = new RegExp(`([${EASTERN}])([a-z])`, 'gi')

/** The words of a name in small letters, without accents: `customerE-Mail_2` is customer, e, mail. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, LONGEST_NAME)
    .replace(/[ßøØłŁđĐæÆœŒı]/g, (letter) => PLAIN[letter] as string)
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(LATIN_BEFORE_EASTERN, '$1 $2')
    .replace(EASTERN_BEFORE_LATIN, '$1 $2')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .split(/[^\p{L}\p{Mc}]+/u)
    .filter((word) => word !== '')
}

/** What is written for a letter with an accent where there is none on the keyboard, besides the letter itself. */
const DIGRAPHS: readonly (readonly [letters: RegExp, by: string])[] = [
  [/[äæ]/g, 'ae'],
  [/[öø]/g, 'oe'],
  [/ü/g, 'ue'],
  [/å/g, 'aa']
]

const PLAIN_TERM = /^ *[a-z][a-z ]*$/

/** The words of a term, in each of the ways to write them without accents. */
export function plainWordsOf(term: string): string[][] {
  // Most terms are in small letters from A to Z, and there are thousands: they are not read as names are.
  if (PLAIN_TERM.test(term)) return [term.split(' ').filter((word) => word !== '')]
  const other = DIGRAPHS.reduce((text, [letters, by]) => text.replace(letters, by), term)
  return (other === term ? [term] : [term, other]).map(wordsOf).filter((words) => words.length > 0)
}
