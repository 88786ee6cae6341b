export const DEFAULT_TITLE = `{{ kind | upper }}: {{ ruleName }}{{#where}} ({{ where }}){{/where}}{{#others}} and {{ others }} more{{/others}}`

/** What, where, since when, value and threshold, link. */
export const DEFAULT_TEXT = `{{#alerts}}
{{ ruleName }} is {{ state }}{{#where}} at {{ where }}{{/where}}
{{#annotations.summary}}
{{ annotations.summary }}
{{/annotations.summary}}
Since {{ startedAt | time: 'UTC' }}{{#resolvedAt}} until {{ resolvedAt | time: 'UTC' }}{{/resolvedAt}} ({{ activeSeconds | duration }})
{{#value}}
Value {{ value | round: 3 }}{{#threshold}}, threshold {{ operator }} {{ threshold | round: 3 }}{{/threshold}}
{{/value}}
{{#link}}
{{ link }}
{{/link}}

{{/alerts}}
{{#more}}
and {{ more }} more
{{/more}}
`
