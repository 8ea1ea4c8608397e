package io.optimus.protocol;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/** Names the service's ACL (hadoop-policy.xml), which YARN checks if {@code hadoop.security.authorization} is on. */
public final class TrainingPolicyProvider extends PolicyProvider {
    /** Key of the ACL; defaults to {@code security.service.authorization.default.acl}, else everybody. */
    public static final String ACL = "security.optimus.training.protocol.acl";

    @Override
    public Service[] getServices() {
        return new Service[] {new Service(ACL, TrainingProtocol.class)};
    }
}
