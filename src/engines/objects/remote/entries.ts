import type { Folder, ListedObject } from '../index.ts'

export function nameOf(entry: ListedObject | Folder): string {
  return 'folder' in entry ? entry.folder : entry.key
}

/** Objects and folders, which stores answer as two lists, sorted together by their bytes. */
export function inOrder(entries: readonly (ListedObject | Folder)[]): (ListedObject | Folder)[] {
  return entries
    .map((entry) => ({ entry, bytes: Buffer.from(nameOf(entry)) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ entry }) => entry)
}
