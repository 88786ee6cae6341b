import type { SchemaFault } from '../../fault.ts'
import type { FileNode } from '../syntax/nodes.ts'

/** Something that has a name, and the names within it. */
export interface Scope {
  readonly kind: 'package' | 'message' | 'enum' | 'other'
  readonly name: string
  readonly fullName: string
  readonly parent: Scope | undefined
  /** Undefined for packages, which many files share. */
  readonly file: FileNode | undefined
  readonly members: Map<string, Scope>
}

/** Full names are kept for every type; long ones in large numbers would fill the memory. */
const MAX_FULL_NAME_CHARS = 2_000
const NO_MEMBERS: Map<string, Scope> = new Map()

export function makeRoot(): Scope {
  return { kind: 'package', name: '', fullName: '', parent: undefined, file: undefined, members: new Map() }
}

export function openPackage(root: Scope, file: FileNode): Scope {
  let scope = root
  for (const name of file.packageName === '' ? [] : file.packageName.split('.')) {
    const known = scope.members.get(name)
    if (known !== undefined && known.kind !== 'package') {
      throw file.source.fault(`${known.fullName} is the name of a ${known.kind} already`, file.packageAt)
    }
    const fullName = fullNameOf(scope, name)
    const next: Scope = known ?? { kind: 'package', name, fullName, parent: scope, file: undefined, members: new Map() }
    scope.members.set(name, next)
    scope = next
  }
  return scope
}

/** Takes over what another tree of names has for the same package. */
export function adopt(into: Scope, from: Scope, file: FileNode): void {
  for (const [name, scope] of from.members) {
    if (scope.file !== file) continue
    if (into.members.has(name)) throw nameTaken(into.members.get(name) as Scope, scope.fullName, file, -1)
    into.members.set(name, scope)
  }
}

export function declare(parent: Scope, kind: 'message' | 'enum', name: string, file: FileNode, at: number): Scope {
  const fullName = fullNameOf(parent, name)
  const known = parent.members.get(name)
  if (known !== undefined) throw nameTaken(known, fullName, file, at)
  if (fullName.length > MAX_FULL_NAME_CHARS) {
    throw file.source.fault(
      `A full name has more than ${MAX_FULL_NAME_CHARS} characters; shorten it`,
      at,
      'too_complex'
    )
  }
  const scope: Scope = { kind, name, fullName, parent, file, members: new Map() }
  parent.members.set(name, scope)
  return scope
}

/** Takes a name for what is no type: a field, a value, a method. There are many, and nobody asks for their full names. */
export function occupy(parent: Scope, name: string, file: FileNode, at: number): void {
  const known = parent.members.get(name)
  if (known !== undefined) throw nameTaken(known, fullNameOf(parent, name), file, at)
  parent.members.set(name, { kind: 'other', name, fullName: name, parent, file, members: NO_MEMBERS })
}

function fullNameOf(parent: Scope, name: string): string {
  return parent.fullName === '' ? name : `${parent.fullName}.${name}`
}

function nameTaken(known: Scope, fullName: string, file: FileNode, at: number): SchemaFault {
  const elsewhere = known.file?.source.dependency
  const where = known.file !== file && elsewhere !== undefined ? ` in "${elsewhere}"` : ''
  return file.source.fault(`The name ${fullName} is taken already${where}; choose another`, at)
}
