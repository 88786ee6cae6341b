import type { Cursor } from './cursor.ts'
import type { EnumNode, EnumValueNode, NameNode, OptionNode, RangeNode, Syntax } from './nodes.ts'
import { parseInteger, parseName } from './parse-names.ts'
import { parseBracketedOptions, parseOptionStatement } from './parse-options.ts'
import { parseReserved } from './parse-ranges.ts'

const MAX_VALUE = 0x7fff_ffff

/** After the word `enum`. */
export function parseEnum(cursor: Cursor, syntax: Syntax): EnumNode {
  const { at } = cursor
  const name = parseName(cursor, 'the name of an enum')
  const values: EnumValueNode[] = []
  const options: OptionNode[] = []
  const reserved = { ranges: [] as RangeNode[], names: [] as NameNode[] }
  cursor.expect('{', `after the enum ${name}`)
  while (!cursor.accept('}')) {
    cursor.effort.spend()
    if (cursor.accept(';')) continue
    const start = cursor.at
    const word = parseName(cursor, "a value, or '}'")
    if (!cursor.is('=') && word === 'option') options.push(parseOptionStatement(cursor))
    else if (!cursor.is('=') && word === 'reserved') parseReserved(cursor, syntax, MAX_VALUE, reserved)
    else {
      cursor.expect('=', `between the value ${word} and its number`)
      const number = parseInteger(cursor, 'the number of a value')
      values.push({ name: word, at: start, number, options: parseBracketedOptions(cursor) })
      cursor.expect(';', `after the value ${word}`)
    }
  }
  return { name, at, values, options, reserved: reserved.ranges, reservedNames: reserved.names }
}
