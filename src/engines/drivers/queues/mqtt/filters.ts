/** Whether every topic that `narrow` stands for is one that `wide` stands for, too. */
export function isWithin(narrow: string, wide: string): boolean {
  const [ours, theirs] = [narrow.split('/'), wide.split('/')]
  // Topics of the broker itself are in no filter that begins with a wildcard.
  if (narrow.startsWith('$') && /^[+#]/.test(wide)) return false
  for (const [level, their] of theirs.entries()) {
    if (their === '#') return true
    const our = ours[level]
    if (our === undefined || our === '#') return false
    if (their !== '+' && their !== our) return false
  }
  // `a/#` stands for `a` as well.
  return ours.length === theirs.length
}

/** Whether it is a topic, or a filter in which each wildcard is a level of its own and `#` the last. */
export function isFilter(text: string): boolean {
  return (
    text !== '' &&
    !text.includes('\0') &&
    text
      .split('/')
      .every((level, at, all) => !/[+#]/.test(level) || level === '+' || (level === '#' && at === all.length - 1))
  )
}
