import { SqlError } from '../../errors.ts'

/** What character sets are called elsewhere, where that is something else. */
const LABELS: Readonly<Record<string, string>> = {
  ascii: 'utf-8',
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'windows-1254',
  latin7: 'iso-8859-13',
  greek: 'iso-8859-7',
  hebrew: 'iso-8859-8',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  tis620: 'windows-874',
  sjis: 'shift_jis',
  cp932: 'shift_jis',
  ujis: 'euc-jp',
  eucjpms: 'euc-jp',
  euckr: 'euc-kr',
  gb2312: 'gbk',
  ucs2: 'utf-16be',
  utf16: 'utf-16be',
  utf16le: 'utf-16le'
}

/** Reads texts of a character set; undefined for bytes that are none. */
export function textDecoder(characterSet: string): ((bytes: Buffer) => string) | undefined {
  if (characterSet === 'binary') return undefined
  const label = LABELS[characterSet] ?? characterSet
  if (label === 'utf-8') return (bytes) => bytes.toString('utf8')
  try {
    const decoder = new TextDecoder(label, { ignoreBOM: true })
    return (bytes) => decoder.decode(bytes)
  } catch {
    throw new SqlError('changes_off', `Texts of the character set ${characterSet} can't be read from the log`)
  }
}
