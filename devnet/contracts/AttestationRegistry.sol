// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

struct Attestation {
    string uuid;
    uint256 expiration;
    address attester;
    bytes signature;
}

struct Statement {
    string uuid;
    address msgSender;
    address target;
    uint256 msgValue;
    bytes encodedSigAndArgs;
    string policy;
    uint256 expiration;
}

/// Predicate's registry: checks that a trusted attester signed a statement, and accepts each one once.
contract AttestationRegistry {
    event AttesterRegistered(address indexed attester);
    event AttesterDeregistered(address indexed attester);
    event PolicySet(address indexed client, string policy);
    event StatementValidated(
        address indexed msgSender,
        address indexed target,
        address indexed attester,
        uint256 msgValue,
        string policy,
        string uuid,
        uint256 expiration
    );

    address public immutable owner;
    mapping(address attester => bool) public isAttesterRegistered;
    mapping(string uuid => bool) public usedStatementUUIDs;
    mapping(address client => string policyID) public getPolicyID;

    constructor(address owner_, address attester) {
        owner = owner_;
        isAttesterRegistered[attester] = true;
        emit AttesterRegistered(attester);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "UNAUTHORIZED");
        _;
    }

    function registerAttester(address attester) external onlyOwner {
        isAttesterRegistered[attester] = true;
        emit AttesterRegistered(attester);
    }

    function deregisterAttester(address attester) external onlyOwner {
        isAttesterRegistered[attester] = false;
        emit AttesterDeregistered(attester);
    }

    function setPolicyID(string calldata policy) external {
        getPolicyID[msg.sender] = policy;
        emit PolicySet(msg.sender, policy);
    }

    function validateAttestation(
        Statement calldata statement,
        Attestation calldata attestation
    ) external returns (bool isVerified) {
        require(
            block.timestamp <= attestation.expiration,
            "Predicate.validateAttestation: attestation expired"
        );
        require(
            !usedStatementUUIDs[attestation.uuid],
            "Predicate.validateAttestation: statement UUID already used"
        );
        require(
            keccak256(bytes(statement.uuid)) == keccak256(bytes(attestation.uuid)),
            "Predicate.validateAttestation: statement UUID does not match attestation UUID"
        );
        require(
            statement.expiration == attestation.expiration,
            "Predicate.validateAttestation: statement expiration does not match attestation expiration"
        );
        address signer = _recover(_hash(statement), attestation.signature);
        require(
            signer != address(0) && signer == attestation.attester,
            "Predicate.validateAttestation: Invalid signature"
        );
        require(
            isAttesterRegistered[signer],
            "Predicate.validateAttestation: Attester is not a registered attester"
        );
        usedStatementUUIDs[attestation.uuid] = true;
        emit StatementValidated(
            statement.msgSender,
            statement.target,
            signer,
            statement.msgValue,
            statement.policy,
            statement.uuid,
            statement.expiration
        );
        return true;
    }

    /// The target is always the caller, even if the statement names another.
    function _hash(Statement calldata statement) private view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    block.chainid,
                    statement.uuid,
                    statement.msgSender,
                    msg.sender,
                    statement.msgValue,
                    statement.encodedSigAndArgs,
                    statement.policy,
                    statement.expiration
                )
            );
    }

    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        return
            ecrecover(
                digest,
                uint8(signature[64]),
                bytes32(signature[0:32]),
                bytes32(signature[32:64])
            );
    }
}
