/**
 * The membership of one job: which tasks train together, which parameters each server holds, and how the job goes from
 * one membership to the next. Open {@link io.optimus.am.membership.StateName} first, which shows all states and their
 * transitions, then {@link io.optimus.am.membership.MembershipMachine}. No sockets, threads or files are here.
 */
@NullMarked
package io.optimus.am.membership;

import org.jspecify.annotations.NullMarked;
