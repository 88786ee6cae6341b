import type { Rule } from '../../format.ts'

export const uniqueItemsAdded: Rule = {
  code: 'json.unique_items_added',
  breaks: true,
  message: (_, who) =>
    `Arrays with the same item twice, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
