import type { Cursor } from './cursor.ts'
import type { NameNode, RangeNode, Syntax } from './nodes.ts'
import { parseInteger, parseName } from './parse-names.ts'
import { parseBracketedOptions, parseString } from './parse-options.ts'
import { textOfBytes } from './strings.ts'

/** After the word `reserved`. Numbers and names in one statement are against the grammar, but common. */
export function parseReserved(
  cursor: Cursor,
  syntax: Syntax,
  max: number,
  into: { ranges: RangeNode[]; names: NameNode[] }
): void {
  const areQuoted = syntax === 'proto2' || syntax === 'proto3'
  do {
    const { at, kind } = cursor
    if (kind !== 'string' && kind !== 'word') into.ranges.push(parseRange(cursor, max))
    else if (areQuoted !== (kind === 'string')) {
      cursor.fail(areQuoted ? 'Reserved names must be in quotes' : 'Reserved names must not be in quotes in an edition')
    } else
      into.names.push({
        name: areQuoted ? textOfBytes(parseString(cursor, 'a name')) : parseName(cursor, 'a name'),
        at
      })
  } while (cursor.accept(','))
  cursor.expect(';', 'after what is reserved')
}

/** After the word `extensions`. */
export function parseExtensionRanges(cursor: Cursor, max: number, ranges: RangeNode[]): void {
  do ranges.push(parseRange(cursor, max))
  while (cursor.accept(','))
  // What is declared about extensions concerns whoever writes them, not data.
  parseBracketedOptions(cursor)
  cursor.expect(';', 'after the extension range')
}

function parseRange(cursor: Cursor, max: number): RangeNode {
  cursor.effort.spend()
  const { at } = cursor
  const from = parseInteger(cursor, 'a number or a name')
  const to = !cursor.accept('to') ? from : cursor.accept('max') ? max : parseInteger(cursor, "a number or 'max'")
  if (to < from) cursor.fail(`The range ${from} to ${to} ends before it begins`, at)
  return { from, to, at }
}
