import type { Rule } from '../../format.ts'

export const additionalPropertiesRefused: Rule = {
  code: 'json.additional_properties_refused',
  breaks: true,
  message: (_, who) =>
    `Properties that the schema does not name, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
