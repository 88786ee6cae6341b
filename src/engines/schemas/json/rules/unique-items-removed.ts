import type { Rule } from '../../format.ts'

export const uniqueItemsRemoved: Rule = {
  code: 'json.unique_items_removed',
  breaks: false,
  message: (_, who) => `Readers of ${who.reader} take arrays with the same item twice.`
}
