/** The header that makes browsers save an answer under this name: once for those that know Unicode, once for the others. */
export function attachmentNamed(name: string): string {
  const known = name.toWellFormed().replace(/\p{Cc}/gu, '_')
  const fallback = known.replace(/[^ -~]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(known).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`
  )
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`
}
