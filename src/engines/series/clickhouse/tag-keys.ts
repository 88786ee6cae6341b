/** Separates name and deletion in a key; a name can't hold it. */
const DIVIDER = '\0'
const DIVIDER_SQL = `'\\x00'`

/**
 * The key of a tag in the tables: its name or, if a tag of that name was deleted before, the name and the version of
 * that deletion. So points of a deleted tag never mix with those of the next tag of that name, and keys sort like
 * names.
 */
export function keyOf(name: string, deletion: bigint | undefined): string {
  return deletion === undefined ? name : `${name}${DIVIDER}${deletion}`
}

export const nameOf = (key: string): string => key.split(DIVIDER, 1)[0] as string

/** The name of the key in the column `tag`, as SQL. */
export const NAME_SQL = `splitByChar(${DIVIDER_SQL}, tag)[1]`

/** The deletion in the key, zero where there is none, as SQL. */
export const DELETION_SQL = `toUInt64OrZero(splitByChar(${DIVIDER_SQL}, tag)[2])`

/** The condition for rows of a source whose tags were not deleted. `deletions` is the table of its deletions. */
export function aliveSql(deletions: string, isDistributed: boolean): string {
  // In a cluster the list is sent to each shard, so that none has to compute it.
  const within = isDistributed ? 'GLOBAL ' : ''
  const current = `SELECT concat(tag, ${DIVIDER_SQL}, toString(max(version))) ${deletions} GROUP BY tag`
  return `tag ${within}NOT IN (SELECT tag ${deletions})
    AND (position(tag, ${DIVIDER_SQL}) = 0 OR tag ${within}IN (${current}))`
}
