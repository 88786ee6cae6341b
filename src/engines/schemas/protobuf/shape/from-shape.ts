import type { Converted } from '../../format.ts'
import type { RecordShape, Shape } from '../../shape.ts'
import { Draft } from './draft.ts'
import { lastPart, packageOf, pascalCase } from './names.ts'
import { writeMessage } from './write-message.ts'

/** A `.proto` text; the first message is the shape. */
export function fromShape(shape: Shape): Converted<string> {
  const draft = new Draft(shape.kind === 'record' ? packageOf(shape.name ?? '') : undefined)
  const root = recordOf(shape, draft)
  const name = draft.typeName(pascalCase(lastPart(root.name ?? 'Record')))
  if (root.name !== undefined) draft.remember(root.name, root, name)
  writeMessage(draft, name, root, '')
  for (let next = draft.next(); next !== undefined; next = draft.next())
    writeMessage(draft, next.name, next.record, next.path)
  return { result: draft.text(), lost: draft.lost }
}

/** Data are messages; anything else is put into one. */
function recordOf(shape: Shape, draft: Draft): RecordShape {
  if (shape.kind === 'record') return shape
  draft.lose('', 'That values stand alone; they are the field "value" of a message')
  return { kind: 'record', name: 'Record', fields: [{ name: 'value', shape, optional: false }] }
}
