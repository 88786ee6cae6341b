import type { Shape } from '../../shape.ts'
import { identifier, lastPart, pascalCase, snakeCase, unique } from './names.ts'
import type { Holder, WrittenType } from './write-type.ts'

export function writeEnum(
  holder: Holder,
  shape: Shape & { readonly kind: 'enum' },
  field: string,
  path: string
): WrittenType {
  const key = JSON.stringify([shape.name, shape.values])
  const known = shape.name === undefined ? undefined : holder.draft.enums.get(key)
  if (known !== undefined) return typeOf(known.holder === holder.name ? known.name : `${known.holder}.${known.name}`)
  const name = enumName(holder, pascalCase(lastPart(shape.name ?? field)))
  holder.draft.enums.set(key, { holder: holder.name, name })
  holder.types.push(`enum ${name} {`, ...valuesOf(holder, name, shape.values, path), '}')
  return typeOf(name)
}

function typeOf(text: string): WrittenType {
  return { text, options: [], isRepeated: false, isMap: false, isMessage: false }
}

/** Zero is what Protobuf takes where nothing is written, so it has to mean that. */
function valuesOf(holder: Holder, name: string, values: readonly string[], path: string): string[] {
  const prefix = snakeCase(name).toUpperCase()
  const lines: string[] = []
  if (!/(?:^|_)(?:UNSPECIFIED|UNKNOWN|NONE)$/i.test(values[0] ?? '')) {
    const zero = unique(`${prefix}_UNSPECIFIED`, holder.names)
    lines.push(`  ${zero} = 0;`)
    holder.draft.lose(path, `That there is no value but these; ${zero} was added for values that are not there`)
  }
  for (const value of values) {
    const wanted = identifier(value)
    const written = unique(holder.names.has(wanted) ? `${prefix}_${wanted}` : wanted, holder.names)
    if (written !== value)
      holder.draft.lose(path, `The value ${JSON.stringify(value).slice(0, 100)}, which is ${written}`)
    lines.push(`  ${written} = ${lines.length};`)
  }
  return lines
}

/** Not that of a message either, which would be hidden by it. */
function enumName({ draft, names }: Holder, wanted: string): string {
  let name = draft.typeName(wanted)
  while (names.has(name)) name = draft.typeName(wanted)
  names.add(name)
  return name
}
