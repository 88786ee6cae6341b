import type { Rule } from '../../format.ts'

export const additionalItemsAllowed: Rule = {
  code: 'json.additional_items_allowed',
  breaks: false,
  message: (_, who) => `Readers of ${who.reader} take further items, which no array of ${who.writer} has.`
}
