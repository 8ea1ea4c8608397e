/**
 * YAML files of typed keys: reads them, and reports every problem with its line, its column and the remedy. Open {@link
 * io.optimus.am.yaml.KeyTable} first, which declares keys, then {@link io.optimus.am.yaml.KeyValues}, which reads them.
 */
@NullMarked
package io.optimus.am.yaml;

import org.jspecify.annotations.NullMarked;
