/**
 * The functions of DuckDB that the SQL of users may call. Each was reviewed: it computes a value from its arguments
 * and reaches nothing else. Those that were reviewed and are kept from users are in `refused-functions.ts`; a test
 * fails where DuckDB has a function that is in neither.
 */

/** Operators have names too; those with letters are LIKE with ESCAPE. */
const OPERATORS = `
  !__postfix !~~ !~~* % & && * ** + - ->> / // <-> << <=> <@ >> @ @> ^ ^@ ilike_escape like_escape not_ilike_escape
  not_like_escape xor | || ~ ~~ ~~* ~~~
`

const NUMBERS = `
  abs acos acosh add asin asinh atan atan2 atanh cbrt ceil ceiling cos cosh cot degrees divide equi_width_bins even exp
  factorial fdiv floor fmod gamma gcd greatest greatest_common_divisor is_histogram_other_bin isfinite isinf isnan lcm
  least least_common_multiple lgamma ln log log10 log2 mod multiply nextafter pi pow power radians random round
  round_even roundbankers sign signbit sin sinh sqrt subtract tan tanh to_base trunc
`

const TEXTS = `
  ascii bar char_length character_length chr concat concat_ws contains damerau_levenshtein editdist3 ends_with format
  format_bytes formatreadabledecimalsize formatreadablesize hamming instr jaccard jaro_similarity
  jaro_winkler_similarity lcase left left_grapheme len length length_grapheme levenshtein lower lpad ltrim mismatches
  nfc_normalize ord parse_dirname parse_dirpath parse_filename parse_formatted_bytes parse_path position prefix printf
  regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array
  regexp_split_to_table repeat replace reverse right right_grapheme rpad rtrim split split_part starts_with str_split
  str_split_regex string_split string_split_regex string_to_array strip_accents strlen strpos substr substring
  substring_grapheme suffix translate trim ucase unicode upper url_decode url_encode
`

const TIMES = `
  age ago century current_date current_localtime current_localtimestamp date_add date_diff date_part date_sub
  date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade epoch
  epoch_ms epoch_ns epoch_us era get_current_time get_current_timestamp hour isodow isoyear julian last_day make_date
  make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz microsecond millennium millisecond
  minute month monthname nanosecond normalized_interval now quarter second strftime strptime time_bucket timezone
  timezone_hour timezone_minute to_centuries to_days to_decades to_hours to_microseconds to_millennia to_milliseconds
  to_minutes to_months to_quarters to_seconds to_timestamp to_weeks to_years today transaction_timestamp try_strptime
  week weekday weekofyear year yearweek
`

/** The parser itself inserts some of these, as for list comprehensions and UNPIVOT. */
const LISTS = `
  aggregate apply array_aggr array_aggregate array_append array_apply array_cat array_concat array_contains
  array_cosine_distance array_cosine_similarity array_cross_product array_distance array_distinct array_dot_product
  array_extract array_filter array_grade_up array_has array_has_all array_has_any array_indexof array_inner_product
  array_intersect array_length array_negative_dot_product array_negative_inner_product array_pop_back array_pop_front
  array_position array_prepend array_push_back array_push_front array_reduce array_resize array_reverse
  array_reverse_sort array_select array_slice array_sort array_to_string array_to_string_comma_default array_transform
  array_unique array_value array_where array_zip cardinality element_at filter flatten generate_series
  generate_subscripts grade_up list_aggr list_aggregate list_any_value list_append list_apply
  list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or list_cat
  list_concat list_contains list_cosine_distance list_cosine_similarity list_count list_distance list_distinct
  list_dot_product list_element list_entropy list_extract list_filter list_first list_grade_up list_has list_has_all
  list_has_any list_histogram list_indexof list_inner_product list_intersect list_kurtosis list_kurtosis_pop list_last
  list_mad list_max list_median list_min list_mode list_negative_dot_product list_negative_inner_product list_pack
  list_position list_prepend list_product list_reduce list_resize list_reverse list_reverse_sort list_select list_sem
  list_skewness list_slice list_sort list_stddev_pop list_stddev_samp list_string_agg list_sum list_transform
  list_unique list_value list_var_pop list_var_samp list_where list_zip range reduce unnest unpivot_list
`

/** Structs, maps, unions, enums, variants. */
const RECORDS = `
  enum_code enum_first enum_last enum_range enum_range_boundary map map_concat map_contains map_contains_entry
  map_contains_value map_entries map_extract map_extract_value map_from_entries map_keys map_values row struct_concat
  struct_contains struct_extract struct_extract_at struct_has struct_indexof struct_insert struct_keys struct_pack
  struct_position struct_update struct_values union_extract union_tag union_value variant_extract variant_normalize
  variant_typeof
`

const JSON_VALUES = `
  array_to_json from_json from_json_strict json json_array json_array_length json_contains json_exists json_extract
  json_extract_path json_extract_path_text json_extract_string json_group_array json_group_object json_group_structure
  json_keys json_merge_patch json_object json_pretty json_quote json_structure json_transform json_transform_strict
  json_type json_valid json_value row_to_json to_json
`

/** Bits, bytes, hashes, identifiers. */
const BYTES = `
  base64 bin bit_count bit_length bit_position bitstring decode encode from_base64 from_binary from_hex gen_random_uuid
  get_bit hash hex md5 md5_number md5_number_lower md5_number_upper octet_length set_bit sha1 sha256 to_base64
  to_binary to_hex unbin unhex uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7
`

const OTHERS = `
  alias can_cast_implicitly cast_to_type error nullif pg_size_pretty pg_typeof replace_type st_asbinary st_astext
  st_aswkb st_aswkt st_crs st_geomfromwkb st_intersects_extent st_setcrs switch typeof
`

/** All aggregates of DuckDB: `list_aggregate` calls them by a name in a text. */
const AGGREGATES = `
  any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_max_nulls_last
  arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg avg bit_and bit_or bit_xor bitstring_agg bool_and
  bool_or corr count count_if count_star countif covar_pop covar_samp entropy favg first fsum geomean geometric_mean
  group_concat histogram histogram_exact kahan_sum kurtosis kurtosis_pop last list listagg mad max max_by mean median
  min min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2
  regr_slope regr_sxx regr_sxy regr_syy reservoir_quantile sem skewness stddev stddev_pop stddev_samp string_agg sum
  sum_no_overflow sumkahan var_pop var_samp variance wavg weighted_avg
`

const WINDOWS = `
  cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number
`

const COLLATIONS = `
  icu_collate_af icu_collate_am icu_collate_ar icu_collate_ar_sa icu_collate_as icu_collate_az icu_collate_be
  icu_collate_bg icu_collate_bn icu_collate_bo icu_collate_br icu_collate_bs icu_collate_ca icu_collate_ceb
  icu_collate_chr icu_collate_cs icu_collate_cy icu_collate_da icu_collate_de icu_collate_de_at icu_collate_dsb
  icu_collate_dz icu_collate_ee icu_collate_el icu_collate_en icu_collate_en_us icu_collate_eo icu_collate_es
  icu_collate_et icu_collate_fa icu_collate_fa_af icu_collate_ff icu_collate_fi icu_collate_fil icu_collate_fo
  icu_collate_fr icu_collate_fr_ca icu_collate_fy icu_collate_ga icu_collate_gl icu_collate_gu icu_collate_ha
  icu_collate_haw icu_collate_he icu_collate_he_il icu_collate_hi icu_collate_hr icu_collate_hsb icu_collate_hu
  icu_collate_hy icu_collate_id icu_collate_id_id icu_collate_ig icu_collate_is icu_collate_it icu_collate_ja
  icu_collate_ka icu_collate_kk icu_collate_kl icu_collate_km icu_collate_kn icu_collate_ko icu_collate_kok
  icu_collate_ku icu_collate_ky icu_collate_lb icu_collate_lij icu_collate_lkt icu_collate_ln icu_collate_lo
  icu_collate_lt icu_collate_lv icu_collate_mk icu_collate_ml icu_collate_mn icu_collate_mr icu_collate_ms
  icu_collate_mt icu_collate_my icu_collate_nb icu_collate_nb_no icu_collate_ne icu_collate_nl icu_collate_nn
  icu_collate_noaccent icu_collate_nso icu_collate_om icu_collate_or icu_collate_pa icu_collate_pa_in icu_collate_pl
  icu_collate_ps icu_collate_pt icu_collate_ro icu_collate_ru icu_collate_sa icu_collate_se icu_collate_si
  icu_collate_sk icu_collate_sl icu_collate_smn icu_collate_sq icu_collate_sr icu_collate_sr_ba icu_collate_sr_me
  icu_collate_sr_rs icu_collate_st icu_collate_sv icu_collate_sw icu_collate_ta icu_collate_te icu_collate_th
  icu_collate_tk icu_collate_tn icu_collate_to icu_collate_tr icu_collate_ug icu_collate_uk icu_collate_ur
  icu_collate_uz icu_collate_vi icu_collate_wae icu_collate_wo icu_collate_xh icu_collate_yi icu_collate_yo
  icu_collate_yue icu_collate_yue_cn icu_collate_zh icu_collate_zh_cn icu_collate_zh_hk icu_collate_zh_mo
  icu_collate_zh_sg icu_collate_zh_tw icu_collate_zu icu_sort_key
`

export const ALLOWED_FUNCTIONS: ReadonlySet<string> = namesIn(
  OPERATORS,
  NUMBERS,
  TEXTS,
  TIMES,
  LISTS,
  RECORDS,
  JSON_VALUES,
  BYTES,
  OTHERS,
  AGGREGATES,
  WINDOWS,
  COLLATIONS
)

/** The functions that may stand after FROM. `summary` takes a subquery, which is checked like any other. */
export const ALLOWED_TABLE_FUNCTIONS: ReadonlySet<string> = namesIn(
  'generate_series icu_calendar_names json_each json_tree pg_timezone_names range repeat repeat_row summary unnest'
)

function namesIn(...groups: readonly string[]): Set<string> {
  return new Set(groups.flatMap((names) => names.trim().split(/\s+/)))
}
