import type { Rule } from '../../format.ts'

export const additionalItemsRefused: Rule = {
  code: 'json.additional_items_refused',
  breaks: true,
  message: (_, who) => `Arrays with further items, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
