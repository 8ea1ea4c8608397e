package io.optimus.protocol;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/**
 * Names the ACL of the training service (hadoop-policy.xml). YARN checks it if {@code hadoop.security.authorization} is
 * on.
 */
public final class TrainingPolicyProvider extends PolicyProvider {
    /**
     * Key of the access control list; defaults to {@code security.service.authorization.default.acl}, else everybody.
     */
    public static final String ACL = "security.optimus.training.protocol.acl";

    @Override
    public Service[] getServices() {
        return new Service[] {new Service(ACL, TrainingProtocol.class)};
    }
}
