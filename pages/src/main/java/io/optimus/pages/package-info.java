/**
 * What the pages of the scheduler and of a job share: HTML, style, a script that keeps them fresh, charts. Open {@link
 * io.optimus.pages.PageFrame} first.
 */
@NullMarked
package io.optimus.pages;

import org.jspecify.annotations.NullMarked;
