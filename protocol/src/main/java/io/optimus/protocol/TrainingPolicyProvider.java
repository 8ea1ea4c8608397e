package io.optimus.protocol;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/** Names the ACL of the training service, which YARN checks where {@code hadoop.security.authorization} is on (hadoop-policy.xml). */
public final class TrainingPolicyProvider extends PolicyProvider {
    /** Key of the access control list; unset: {@code security.service.authorization.default.acl}, else everybody. */
    public static final String ACL = "security.optimus.training.protocol.acl";

    @Override
    public Service[] getServices() {
        return new Service[] {new Service(ACL, TrainingProtocol.class)};
    }
}
