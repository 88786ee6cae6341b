const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** What GROUP BY ALL does not group by: `duckdb_functions()` of 1.5, with the macros that are made of such. */
export const AGGREGATES = names(
  `any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_max_nulls_last arg_min
  arg_min_null arg_min_nulls_last argmax argmin array_agg avg bit_and bit_or bit_xor bitstring_agg bool_and bool_or corr count
  count_if count_star countif covar_pop covar_samp entropy favg first first_value fsum geomean geometric_mean group_concat
  histogram histogram_exact json_group_array json_group_object json_group_structure kahan_sum kurtosis kurtosis_pop last
  last_value list listagg mad max max_by mean median min min_by mode product quantile quantile_cont quantile_disc regr_avgx
  regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy reservoir_quantile sem skewness stddev
  stddev_pop stddev_samp string_agg sum sum_no_overflow sumkahan var_pop var_samp variance wavg weighted_avg`
)

/** Aggregates that differ with the order of rows. */
export const ORDERED = names(
  `any_value arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin array_agg first first_value group_concat
  json_group_array json_group_object last last_value list listagg max_by min_by mode string_agg`
)

/** Those whose later arguments are lambdas. Elsewhere an arrow takes a part of a JSON value. */
export const WITH_LAMBDAS = names(
  `apply array_apply array_filter array_reduce array_transform filter list_apply list_filter list_reduce list_transform reduce`
)

/** Functions that are called by their names alone, without brackets. */
export const VALUE_NAMES = names(
  `current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime
  localtimestamp session_user user`
)

/** In SELECT they make several rows of one. */
export const UNNESTING = names('generate_subscripts regexp_split_to_table unlist unnest')

/** Functions after FROM that read their arguments and nothing else, with the columns that they give. */
export const MAKES_ROWS: ReadonlyMap<string, readonly string[]> = new Map([
  ['generate_series', ['generate_series']],
  ['range', ['range']],
  ['unnest', ['unnest']],
  ['unlist', ['unlist']],
  ['json_each', ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path']],
  ['json_tree', ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path']],
  ['repeat', ['repeat']],
  ['regexp_split_to_table', ['regexp_split_to_table']]
])
