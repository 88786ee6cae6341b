/** What the name of a file tells: how it ends, without `.gz`, and whether that is there. Addresses may have a query behind it. */
export function nameOf(path: string): { readonly ending: string; readonly isPacked: boolean } {
  const bare = /^https?:/i.test(path) ? path.replace(/[?#].*$/s, '') : path
  const [, ending = '', packed] = /(?:\.([^./]+?))?(\.gz)?$/i.exec(bare) ?? []
  return { ending: ending.toLowerCase(), isPacked: packed !== undefined }
}
