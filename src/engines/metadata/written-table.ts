import type { RootOperationNode, TableNode } from 'kysely'

/** Stands for the table of a statement that is not known. */
export const ANY_TABLE = '*'

/** The table that a statement writes to; undefined for one that only reads. */
export function writtenTable(node: RootOperationNode): string | undefined {
  switch (node.kind) {
    case 'SelectQueryNode':
      return undefined
    case 'InsertQueryNode':
      return node.into === undefined ? ANY_TABLE : nameOf(node.into)
    case 'UpdateQueryNode':
      return node.table?.kind === 'TableNode' ? nameOf(node.table as TableNode) : ANY_TABLE
    case 'DeleteQueryNode': {
      const [from] = node.from.froms
      return from?.kind === 'TableNode' ? nameOf(from as TableNode) : ANY_TABLE
    }
    default:
      return ANY_TABLE
  }
}

function nameOf(node: TableNode): string {
  return node.table.identifier.name
}
