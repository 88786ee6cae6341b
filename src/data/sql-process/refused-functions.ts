/** Functions of DuckDB that the SQL of users may not call, and why; the reason goes into the error. */
interface Refusal {
  readonly why: string
  readonly names: string
}

const REFUSED: readonly Refusal[] = [
  {
    why: 'it shows the statement that runs, which holds more than the part that was written here',
    names: 'current_query current_query_id current_connection_id current_transaction_id txid_current'
  },
  {
    why: 'it tells of settings and of the database itself, not of the data',
    names: `current_setting getvariable version current_database current_catalog current_schema current_schemas in_search_path
      current_user current_role session_user user get_block_size pg_conf_load_time pg_postmaster_start_time pg_my_temp_schema
      pg_is_other_temp_schema inet_client_addr inet_client_port inet_server_addr inet_server_port`
  },
  {
    why: 'it looks things up in the catalogue of the database, where more is named than the relations given here',
    names: `pg_get_viewdef pg_get_constraintdef pg_get_expr format_type format_pg_type map_to_pg_oid col_description
      obj_description shobj_description pg_collation_is_visible pg_conversion_is_visible pg_function_is_visible
      pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible pg_table_is_visible pg_ts_config_is_visible
      pg_ts_dict_is_visible pg_ts_parser_is_visible pg_ts_template_is_visible pg_type_is_visible pg_has_role
      has_any_column_privilege has_column_privilege has_database_privilege has_foreign_data_wrapper_privilege
      has_function_privilege has_language_privilege has_schema_privilege has_sequence_privilege has_server_privilege
      has_table_privilege has_tablespace_privilege`
  },
  { why: 'a statement must not wait; it would hold what others need', names: 'sleep_ms pg_sleep' },
  {
    why: 'it changes what other statements see',
    names: 'nextval currval setseed write_log'
  },
  {
    why: 'it takes SQL as a text, which nothing looks at before it runs; write the SQL itself',
    names: 'json_serialize_sql json_deserialize_sql json_serialize_plan'
  },
  {
    why: "it is for DuckDB's own use",
    names: `parse_duckdb_log_message stats vector_type create_sort_key constant_or_null remap_struct combine finalize make_type
      get_type variant_bytes_to_variant variant_to_parquet_variant timetz_byte_comparable
      __internal_compress_integral_ubigint __internal_compress_integral_uinteger __internal_compress_integral_usmallint
      __internal_compress_integral_utinyint __internal_compress_string_hugeint __internal_compress_string_ubigint
      __internal_compress_string_uhugeint __internal_compress_string_uinteger __internal_compress_string_usmallint
      __internal_compress_string_utinyint __internal_decompress_integral_bigint __internal_decompress_integral_hugeint
      __internal_decompress_integral_integer __internal_decompress_integral_smallint __internal_decompress_integral_ubigint
      __internal_decompress_integral_uhugeint __internal_decompress_integral_uinteger __internal_decompress_integral_usmallint
      __internal_decompress_string`
  }
]

/** Functions that stand after FROM. */
const REFUSED_AFTER_FROM: readonly Refusal[] = [
  {
    why: 'it reads files; data come from the relations given here',
    names: `read_blob read_csv read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto
      read_ndjson read_ndjson_auto read_ndjson_objects read_parquet read_text glob sniff_csv parquet_bloom_probe
      parquet_file_metadata parquet_full_metadata parquet_kv_metadata parquet_metadata parquet_scan parquet_schema`
  },
  {
    why: 'it takes a relation or SQL as a text, which nothing looks at before it runs; name the relation itself',
    names: 'query query_table histogram histogram_values json_execute_serialized_sql'
  },
  {
    why: 'it tells of settings and of the database itself, not of the data',
    names: `duckdb_approx_database_count duckdb_columns duckdb_connection_count duckdb_constraints duckdb_coordinate_systems
      duckdb_databases duckdb_dependencies duckdb_extensions duckdb_external_file_cache duckdb_functions duckdb_indexes
      duckdb_keywords duckdb_log_contexts duckdb_logs duckdb_logs_parsed duckdb_memory duckdb_optimizers
      duckdb_prepared_statements duckdb_profiling_settings duckdb_schemas duckdb_secret_types duckdb_secrets duckdb_sequences
      duckdb_settings duckdb_table_sample duckdb_tables duckdb_temporary_files duckdb_types duckdb_variables duckdb_views
      pragma_collations pragma_database_size pragma_metadata_info pragma_platform pragma_show pragma_storage_info
      pragma_table_info pragma_user_agent pragma_version which_secret sql_auto_complete`
  },
  {
    why: 'it changes how DuckDB works, for others too',
    names: `checkpoint force_checkpoint enable_logging disable_logging truncate_duckdb_logs enable_profiling disable_profiling
      enable_peg_parser disable_peg_parser check_peg_parser`
  },
  {
    why: "it is for DuckDB's own use",
    names: 'arrow_scan arrow_scan_dumb seq_scan test_all_types test_vector_types'
  }
]

export const REFUSED_FUNCTIONS = reasonsOf(REFUSED)
export const REFUSED_TABLE_FUNCTIONS = reasonsOf(REFUSED_AFTER_FROM)

function reasonsOf(refusals: readonly Refusal[]): ReadonlyMap<string, string> {
  return new Map(refusals.flatMap(({ why, names }) => names.split(/\s+/).map((name) => [name, why] as const)))
}
