package io.optimus.yarn.web;

import java.util.List;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;

/** Decides which jobs a caller may see: as in YARN's own REST, by the application's view ACL or the right to administer its
 * queue. YARN checks nothing for external classes.
 */
public final class ViewRights {
    private final ResourceManager resourceManager;
    private final HttpServletRequest request;

    /** The rights of the caller of {@code request}. */
    public ViewRights(ResourceManager resourceManager, HttpServletRequest request) {
        this.resourceManager = resourceManager;
        this.request = request;
    }

    /** Whether the caller may see this application; false if YARN does not know it. */
    public boolean maySee(ApplicationId id) {
        RMApp application = resourceManager.getRMContext().getRMApps().get(id);
        if (application == null) {
            return false;
        }
        String user = request.getRemoteUser();
        if (user == null) {
            // Without authentication, YARN's own pages show everything. If ACLs are on, an unknown caller sees nothing.
            return !resourceManager.getApplicationACLsManager().areACLsEnabled();
        }
        UserGroupInformation caller = UserGroupInformation.createRemoteUser(user);
        return resourceManager
                        .getApplicationACLsManager()
                        .checkAccess(caller, ApplicationAccessType.VIEW_APP, application.getUser(), id)
                || resourceManager
                        .getQueueACLsManager()
                        .checkAccess(
                                caller,
                                QueueACL.ADMINISTER_QUEUE,
                                application,
                                request.getRemoteAddr(),
                                forwardedAddresses());
    }

    /** Whether the caller may see a job that has ended. YARN may have forgotten its application: then its owner may. */
    public boolean maySeePast(ApplicationId id, String owner) {
        if (resourceManager.getRMContext().getRMApps().get(id) != null) {
            return maySee(id);
        }
        String user = request.getRemoteUser();
        if (!resourceManager.getApplicationACLsManager().areACLsEnabled()) {
            return true;
        }
        return user != null
                && (user.equals(owner)
                        || resourceManager
                                .getApplicationACLsManager()
                                .isAdmin(UserGroupInformation.createRemoteUser(user)));
    }

    private List<String> forwardedAddresses() {
        String forwarded = request.getHeader("X-Forwarded-For");
        return forwarded == null ? List.of() : List.of(forwarded.split(",", -1));
    }
}
