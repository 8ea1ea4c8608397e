package io.optimus.yarn.web;

import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.security.YarnAuthorizationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * Decides what a caller may order, by YARN's own ACLs: everything with {@code yarn.admin.acl}, as in {@code yarn rmadmin}; for
 * one queue also with the right to administer it, where ACLs are on.
 */
final class AdministratorRights {
    /** Longer names are nobody's, and would fill the audit log. */
    private static final int LONGEST_NAME = 256;

    private final ResourceManager resourceManager;
    private final Optional<String> user;

    AdministratorRights(ResourceManager resourceManager, HttpServletRequest request) {
        this.resourceManager = resourceManager;
        this.user = Optional.ofNullable(request.getRemoteUser())
                .filter(AdministratorRights::isName)
                .filter(name -> !isAnonymous(resourceManager.getConfig(), name));
    }

    /** Who calls; empty if nobody in particular, who may order nothing. */
    Optional<String> user() {
        return user;
    }

    /** Whether the caller may order everything. */
    boolean isAdministrator() {
        return user.map(UserGroupInformation::createRemoteUser)
                .filter(YarnAuthorizationProvider.getInstance(resourceManager.getConfig())::isAdmin)
                .isPresent();
    }

    /** Whether the caller may order what concerns only this queue. */
    boolean administers(String queuePath) {
        boolean byQueue = resourceManager.getApplicationACLsManager().areACLsEnabled()
                && user.map(UserGroupInformation::createRemoteUser)
                        .filter(caller -> resourceManager
                                .getResourceScheduler()
                                .checkAccess(caller, QueueACL.ADMINISTER_QUEUE, queuePath))
                        .isPresent();
        return byQueue || isAdministrator();
    }

    /** Nothing else may reach a log. */
    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST_NAME
                && text.codePoints().noneMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c));
    }

    /** On a cluster with authentication, YARN gives its static user to callers who did not authenticate. */
    private static boolean isAnonymous(Configuration configuration, String name) {
        return UserGroupInformation.isSecurityEnabled()
                && name.equals(configuration.get(
                        CommonConfigurationKeys.HADOOP_HTTP_STATIC_USER,
                        CommonConfigurationKeys.DEFAULT_HADOOP_HTTP_STATIC_USER));
    }
}
