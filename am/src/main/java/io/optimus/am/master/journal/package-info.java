/**
 * What happened in the job: the journal, a file of JSON lines that outlives the ApplicationMaster, and the training
 * history, the bounded part of it that the scheduler and the page get. Open {@link
 * io.optimus.am.master.journal.TrainingHistory} first.
 */
@NullMarked
package io.optimus.am.master.journal;

import org.jspecify.annotations.NullMarked;
